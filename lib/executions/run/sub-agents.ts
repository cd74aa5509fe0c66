import { type Deployed, loadDeployed } from "../../agents/revision/load-deployed.ts";
import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import { StepError } from "../../engine/step-error.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets } from "../job/masks.ts";
import { renewalMs } from "../lease/execution-lease.ts";
import type { ExecutionKey } from "../record/keys.ts";
import type { RunOutcome } from "../record/results.ts";
import { readStatuses } from "../record/store.ts";
import { traceContextBelow } from "../record/trace-id.ts";
import { triggerTypes } from "../schemas.ts";
import { inputDetail, planStart, type StartPlan } from "../start/plan-start.ts";
import { startExecution } from "../start/start-execution.ts";
import { isLost, type RunContext } from "./run-context.ts";

/** A run that calls sub-agents. */
export type CallingRun = {
  job: Job;
  context: RunContext;
  /** Ids of the running agents, from the outermost to the caller. */
  ancestors: readonly string[];
};

/** Maximum nesting of agents, the outermost included. */
const maxDepth = 5;

/** Throws a StepError when a called agent is among its callers, or nested too deeply. */
export const checkNesting = (agentId: string, ancestors: readonly string[]): void => {
  const way = [...ancestors, agentId].join(" → ");
  if (ancestors.includes(agentId)) {
    throw new StepError("execution-failed", `Agents must not call each other in a cycle: ${way}.`);
  }
  if (ancestors.length > maxDepth) {
    throw new StepError("execution-failed", `Sub-agents may be at most ${maxDepth} deep: ${way}.`);
  }
};

/** Loads a called agent and plans its execution. Throws a StepError for one that cannot run. */
export const planCall = async (
  deps: ExecutionDeps,
  {
    caller: {
      job: parent,
      context: { processor },
    },
    request: { agentId, input, path },
  }: { caller: CallingRun; request: SubAgentCall },
): Promise<StartPlan> => {
  const { tenantId, item } = parent;
  const deployed = await requireDeployed(deps, { tenantId, agentId });
  const request = {
    tenantId,
    executionId: newUuid(deps.runtime),
    trigger: { type: triggerTypes.subAgent, id: item.id, provider: null },
    input,
    isSample: item.isSample,
    traceContext: traceContextBelow(item, path),
    secrets: jobSecrets(parent).inTraces,
  };
  const plan = await planStart(deps, { deployed, request, processor });
  if ("start" in plan) return plan;
  if ("exceeded" in plan) throw new StepError("budget-exceeded", budgetDetail(plan.exceeded));
  const detail = `The input of "${agentId}" is invalid: ${inputDetail(plan.errors)}`;
  throw new StepError("execution-failed", detail);
};

const requireDeployed = async (
  deps: ExecutionDeps,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
): Promise<Deployed> => {
  const loaded = await loadDeployed(deps, { tenantId, agentId });
  if (!("missing" in loaded)) return loaded;
  const detail =
    loaded.missing === "deployment"
      ? `The agent "${agentId}" has no deployed revision.`
      : `There is no agent "${agentId}".`;
  throw new StepError("execution-failed", detail);
};

/** Starts the planned execution of a call, under the lease of its caller. */
export const startCall = async (
  deps: ExecutionDeps,
  {
    caller: { job: parent },
    plan: { start, deployed, values },
    path,
  }: { caller: CallingRun; plan: StartPlan; path: string },
): Promise<Job> => {
  const { tenantId, endsBy } = parent;
  const runner = { type: "parent" as const, parentId: parent.item.id, path };
  const { item, isNew } = await startExecution(deps, { ...start, runner });
  if (!isNew) throw new Error(`a sub-agent was started at ${path} before`);
  return {
    tenantId,
    ...deployed,
    item,
    values,
    inherited: jobSecrets(parent),
    owner: null,
    endsBy,
  };
};

/**
 * Creates a signal that is aborted with the step, but not when the run is handed over or lost: its sub-agents
 * are then resumed.
 */
export const cancelUnlessHandedOver = (signal: AbortSignal, context: RunContext): AbortSignal => {
  const cancel = new AbortController();
  const stop = () => {
    if (!context.handOver.signal.aborted && !isLost(context)) cancel.abort();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return cancel.signal;
};

/** Describes an agent to the Prompts that may call it; undefined without a deployed revision. */
export const describeAgent = async (
  deps: ExecutionDeps,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
): ReturnType<AgentRunner["describe"]> => {
  const loaded = await loadDeployed(deps, { tenantId, agentId });
  if ("missing" in loaded) return undefined;
  const { agent, revision } = loaded;
  return {
    displayName: agent.displayName,
    description: agent.description,
    parametersMetadata: revision.content.parametersMetadata,
  };
};

/** Returns the output of a sub-agent; throws a StepError for one that did not succeed. */
export const toSubAgentResult = ({ item, output, error }: RunOutcome): SubAgentResult => {
  const { id: executionId, agentId, status } = item;
  if (status === "Succeeded") return { output, executionId };
  const { slug = "execution-failed", detail = "It was cancelled." } = error ?? {};
  throw new StepError(
    slug,
    `The sub-agent "${agentId}" failed (execution ${executionId}): ${detail}`,
    {
      ...(error?.upstream !== undefined && { upstream: error.upstream }),
      ...(error?.upstreamStatus !== undefined && { upstreamStatus: error.upstreamStatus }),
    },
  );
};

/**
 * Polls until `over` whether a sub-agent's execution was cancelled, and then aborts `cancelled`.
 * Such an execution has no lease, which would detect it on renewal. A failed read is only logged.
 */
export const watchCancel = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { key, over, cancelled }: { key: ExecutionKey; over: AbortSignal; cancelled: AbortController },
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const statuses = await readStatuses(db, [key]);
      if (over.aborted) return;
      if (statuses.get(key.executionId) === "Cancelled") return cancelled.abort();
    } catch (error) {
      log("sub-agent-unreadable", {
        executionId: key.executionId,
        error: asError(error),
      });
    }
  }
};
