import { isDeepStrictEqual } from "node:util";
import { loadDeployed } from "../../agents/revision/load-deployed.ts";
import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import { StepError } from "../../engine/step-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import {
  type ExecutionDeps,
  getSubExecution,
  type Job,
  jobSecrets,
  listSteps,
  maskInputs,
  type RunOutcome,
  readOutcome,
  readStatuses,
  readTreeCost,
  renewalMs,
  type TreeCost,
  toExecutionKey,
} from "../record/execution-record.ts";
import { startExecution } from "../start/start-execution.ts";
import { checkNesting, planCall } from "./check-sub-agent.ts";
import { type LoadedJob, loadJob } from "./load-job.ts";
import { continueElsewhere, isLost, type RunContext, type RunOptions } from "./run-context.ts";

/** The sub-agents of one run. */
export type SubAgents = {
  runner: AgentRunner;
  /** Resolves when no sub-agent is running. */
  ended: () => Promise<void>;
  /** Throws when storage failed for a sub-agent: the parent must stay open, so that its next run ends both. */
  assertRecorded: () => void;
  /** Costs of the ended ones with their own sub-agents, by execution id. */
  costs: ReadonlyMap<string, TreeCost>;
  /** Returns whether this run started a sub-agent that has not ended. */
  areOpen: () => boolean;
};

/** Runs an execution's flow: `runJob`, passed in to avoid a circular import. */
type RunJob = (deps: ExecutionDeps, job: Job, options: RunOptions) => Promise<RunOutcome | "open">;

type Place = { ancestors: readonly string[]; resumed: boolean; runJob: RunJob };

/**
 * Runs sub-agents within a run, each as an execution of its own under the parent's lease. Resumes an execution
 * that an earlier run started at the same path, or returns its outcome when it has ended.
 */
export const subAgents = (
  deps: ExecutionDeps,
  parent: Job,
  context: RunContext,
  { ancestors, resumed, runJob }: Place,
): SubAgents => {
  const underWay = new Set<Promise<unknown>>();
  const open = new Set<string>();
  const costs = new Map<string, TreeCost>();
  let failure: { error: unknown } | undefined;
  const inherited = jobSecrets(parent);

  const run = async (
    job: Job,
    signal: AbortSignal,
    completed?: Awaited<ReturnType<typeof listSteps>>,
  ): Promise<SubAgentResult> => {
    const [over, cancelled] = [new AbortController(), new AbortController()];
    void watchCancel(deps, job, over.signal, cancelled);
    const running = runJob(deps, job, {
      context,
      stop: AbortSignal.any([
        cancelUnlessHandedOver(signal, context),
        cancelled.signal,
        context.stop,
      ]),
      ...(completed && { completed }),
      ancestors: [...ancestors, job.agent.id],
    });
    const end = await running
      .catch((error: unknown) => {
        log("sub-agent-failed", { executionId: job.item.id, error: asError(error) });
        failure ??= { error };
        context.handOver.abort();
        throw error;
      })
      .finally(() => over.abort());
    if (end === "open") {
      signal.throwIfAborted();
      const detail = `Another function continues the execution of "${job.agent.id}".`;
      throw new StepError("execution-failed", detail);
    }
    open.delete(job.item.id);
    costs.set(job.item.id, readTreeCost(end.item));
    return toSubAgentResult(end);
  };

  /**
   * Finds the execution that an earlier run started at the call's path, or a free path when the call differs
   * from it.
   */
  const findPlace = async ({ agentId, input, path }: SubAgentCall) => {
    const { tenantId, item, endsBy } = parent;
    for (let place = path; ; place += "~") {
      const child = await getSubExecution(deps.db, tenantId, item.id, place);
      if (!child) return { path: place };
      const loaded = await loadJob(deps, tenantId, child, { owner: null, endsBy });
      if (!loaded || child.agentId !== agentId) continue;
      const { parametersMetadata } = loaded.job.revision.content;
      const checked = await checkInputs(parametersMetadata, input, context.processor);
      if (checked.ok && isDeepStrictEqual(checked.values, loaded.job.values)) {
        return { path: place, earlier: { ...loaded, job: { ...loaded.job, inherited } } };
      }
    }
  };

  const resume = async (
    { job, execution }: LoadedJob,
    signal: AbortSignal,
  ): Promise<SubAgentResult> => {
    const end = await readOutcome(deps, execution);
    if (end) {
      costs.set(job.item.id, readTreeCost(job.item));
      return toSubAgentResult(end);
    }
    return run(job, signal, await listSteps(deps, toExecutionKey(job.item)));
  };

  const startCall = async ({
    agentId,
    input,
    path,
    signal,
  }: SubAgentCall): Promise<SubAgentResult> => {
    const { tenantId, endsBy } = parent;
    const { deployed, start, values } = await planCall(deps, parent, context, { agentId, input });
    open.add(start.id);
    const { item, isNew } = await startExecution(deps, {
      ...start,
      masked: maskInputs(input, values, inherited.inTraces),
      runner: { type: "parent", parentId: parent.item.id, path },
    });
    if (!isNew) throw new Error(`a sub-agent was started at ${path} before`);
    return run({ tenantId, ...deployed, item, values, inherited, owner: null, endsBy }, signal);
  };

  const findAndRun = async (call: SubAgentCall): Promise<SubAgentResult> => {
    checkNesting(call.agentId, ancestors);
    const { path, earlier } = resumed ? await findPlace(call) : { path: call.path };
    return earlier ? resume(earlier, call.signal) : startCall({ ...call, path });
  };

  return {
    runner: {
      describe: (agentId) => continueElsewhere(context, () => describeAgent(deps, parent, agentId)),
      run: (call) => {
        const running = continueElsewhere(context, () => findAndRun(call), call.signal);
        underWay.add(running);
        return running.finally(() => underWay.delete(running));
      },
    },
    ended: async () => {
      await Promise.allSettled([...underWay]);
    },
    assertRecorded: () => {
      if (failure) throw failure.error;
    },
    costs,
    areOpen: () => open.size > 0,
  };
};

/**
 * Creates a signal that is aborted with the step, but not when the run is handed over or lost: its sub-agents
 * are then resumed.
 */
const cancelUnlessHandedOver = (signal: AbortSignal, context: RunContext): AbortSignal => {
  const cancel = new AbortController();
  const stop = () => {
    if (!context.handOver.signal.aborted && !isLost(context)) cancel.abort();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return cancel.signal;
};

const describeAgent = async (
  deps: ExecutionDeps,
  { tenantId }: Job,
  agentId: string,
): ReturnType<AgentRunner["describe"]> => {
  const loaded = await loadDeployed(deps, tenantId, agentId);
  if ("missing" in loaded) return undefined;
  const { agent, revision } = loaded;
  return {
    displayName: agent.displayName,
    description: agent.description,
    parametersMetadata: revision.content.parametersMetadata,
  };
};

const toSubAgentResult = ({ item, output, error }: RunOutcome): SubAgentResult => {
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
 * Polls until `over` whether a sub-agent's execution was cancelled, and then aborts `cancelled`. Such an
 * execution has no lease whose renewal would detect it. A failed read is only logged.
 */
export const watchCancel = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { item }: Job,
  over: AbortSignal,
  cancelled: AbortController,
): Promise<void> => {
  const place = toExecutionKey(item);
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const statuses = await readStatuses(db, [place]);
      if (over.aborted) return;
      if (statuses.get(item.id) === "Cancelled") return cancelled.abort();
    } catch (error) {
      log("sub-agent-unreadable", {
        executionId: item.id,
        error: asError(error),
      });
    }
  }
};
