import { isDeepStrictEqual } from "node:util";
import { type Deployed, loadDeployed } from "../../agents/revision/load-deployed.ts";
import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import { StepError } from "../../engine/step-error.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import {
  getSubExecution,
  type listNamedSubExecutions,
  type SubExecution,
} from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { type LoadedJob, loadJob } from "../job/load-job.ts";
import { jobSecrets } from "../job/masks.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import type { RunOutcome } from "../record/results.ts";
import { traceContextBelow } from "../record/trace-id.ts";
import { triggerTypes } from "../schemas.ts";
import { planStart, type StartPlan } from "../start/plan-start.ts";
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

/** Returns whether a path is below an attempt that is not the first one, such as `each#2/0`. */
const isRetried = (path: string): boolean => /#\d+\//.test(path);

/** Returns the place of a call, the same in each attempt at the steps above it: `each/0` for `each#2/0#3`. */
const toPlace = (path: string): string => path.replaceAll(/#\d+/g, "").replaceAll("~", "");

/** Collects the executions that calls start. `listEarlier`: lists those of earlier runs; undefined for the first run. */
export const collectStarted = (
  listEarlier: (() => ReturnType<typeof listNamedSubExecutions>) | undefined,
) => {
  const byPlace = new Map<string, Map<string, SubExecution>>();
  const add = (path: string, child: SubExecution): void => {
    const place = toPlace(path);
    byPlace.set(place, (byPlace.get(place) ?? new Map<string, SubExecution>()).set(path, child));
  };
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    for (const [path, child] of (await listEarlier?.()) ?? []) add(path, child);
  };
  return {
    add,
    /** Lists those of all attempts at the place of a path, by path. */
    listAt: async (path: string): Promise<ReadonlyMap<string, SubExecution>> => {
      reading ??= read();
      await reading;
      return byPlace.get(toPlace(path)) ?? new Map();
    },
  };
};

/**
 * Returns whether a call of another attempt continues an execution, or has its result. The failure of a model's call is not
 * why its step was tried again.
 */
const isKept = (
  { isModelCall }: SubAgentCall,
  { item: { status }, waitRoot }: StoredExecution,
): boolean => {
  if (status === "Waiting") return true;
  const isEnd = status === "Succeeded" || (isModelCall === true && status === "Failed");
  return isEnd && waitRoot !== undefined;
};

/**
 * Finds the execution that an earlier run started at the call's path, or a free path when the call differs from it. A call of
 * another attempt continues the execution of an earlier attempt that waits, or returns the result of one that has waited, so
 * that approvals keep their decisions.
 */
export const findEarlierCall = async (
  deps: ExecutionDeps,
  {
    caller: { job: parent, context },
    request,
    started,
    isResumed,
  }: {
    caller: CallingRun;
    request: SubAgentCall;
    started: ReturnType<typeof collectStarted>;
    isResumed: boolean;
  },
): Promise<{ path: string; earlier?: LoadedJob }> => {
  const { agentId, input, path: first } = request;
  if (!isResumed && !isRetried(first)) return { path: first };
  const { tenantId, item, endsBy } = parent;
  const load = async (child: SubExecution): Promise<LoadedJob | undefined> => {
    if (child.agentId !== agentId) return undefined;
    const loaded = await loadJob(deps, { tenantId, ...child, leaseTerms: { owner: null, endsBy } });
    if (!loaded) return undefined;
    const { parametersMetadata } = loaded.job.revision.content;
    const checked = await checkInputs(parametersMetadata, input, context.processor);
    const isSame = checked.ok && isDeepStrictEqual(checked.values, loaded.job.values);
    return isSame
      ? { ...loaded, job: { ...loaded.job, inherited: jobSecrets(parent) } }
      : undefined;
  };
  const known = first.includes("/") ? await started.listAt(first) : new Map<string, SubExecution>();
  for (const [path, child] of known) {
    const earlier = path === first ? undefined : await load(child);
    if (earlier && isKept(request, earlier.execution)) return { path, earlier };
  }
  if (!isResumed) return { path: first };
  for (let path = first; ; path += "~") {
    const child = await getSubExecution(deps.db, tenantId, item.id, path);
    const earlier = child && (await load(child));
    if (!child || earlier) return { path, ...(earlier && { earlier }) };
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
    fileReader: { execution: { agentId: item.agentId, executionId: item.id } },
    isSample: item.isSample,
    traceContext: traceContextBelow(item, path),
    secrets: jobSecrets(parent).inTraces,
  };
  const plan = await planStart(deps, { deployed, request, processor });
  if ("start" in plan) return plan;
  if ("blocked" in plan) {
    const { blocked } = plan;
    throw new StepError("guardrail-blocked", `"${agentId}": ${plan.detail}`, { blocked });
  }
  if ("exceeded" in plan) throw new StepError("budget-exceeded", budgetDetail(plan.exceeded));
  const detail = `The input of "${agentId}" is invalid: ${formatInputProblems(plan.errors)}`;
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
    verdicts: start.verdicts,
    isUnchecked: start.isUnchecked,
    isGuarded: start.isGuarded,
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
      ...(error?.blocked && { blocked: error.blocked }),
    },
  );
};
