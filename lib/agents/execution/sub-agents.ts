import { isDeepStrictEqual } from "node:util";
import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import { StepError } from "../../engine/flow/step-error.ts";
import { checkInputs } from "../../json/check-inputs.ts";
import { Problem } from "../../platform/http/problems.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { getAgent } from "../agent/store.ts";
import { assertBudgetLeft } from "../budget/assert-budget-left.ts";
import { getSubExecution, listSteps, putSubExecution } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { type End, endOf } from "./find-end.ts";
import type { Job } from "./job.ts";
import { type LoadedJob, loadJob } from "./load-job.ts";
import { newExecution } from "./new-execution.ts";
import type { RunContext, RunEnd, RunOptions } from "./run-context.ts";
import { triggerTypes } from "./schemas.ts";
import { putNewExecution } from "./store.ts";
import { watchCancel } from "./watch-cancel.ts";

/** Maximum nesting of agents, the outermost included. */
const greatestDepth = 5;

/** The sub-agents of one run. */
export type SubAgents = {
  runner: AgentRunner;
  /** Resolves when no sub-agent is running. */
  ended: () => Promise<void>;
  /** Throws when storage failed for a sub-agent: the parent must stay open, so that its next run ends both. */
  assertRecorded: () => void;
  /** Returns whether a sub-agent was started here whose end is not recorded. */
  areOpen: () => boolean;
};

/** Runs an execution's flow: `runJob`, handed in, since each of the two starts the other. */
type RunJob = (deps: ExecutionDeps, job: Job, options: RunOptions) => Promise<RunEnd>;

type Place = { ancestors: readonly string[]; resumed: boolean; runJob: RunJob };

/**
 * Runs sub-agents within a run, each as an execution of its own under the parent's lease. Resumes an execution
 * that an earlier run started at the same path, or returns its outcome when it has ended.
 */
export const subAgents = (
  deps: ExecutionDeps,
  parent: Job,
  course: RunContext,
  { ancestors, resumed, runJob }: Place,
): SubAgents => {
  const underWay = new Set<Promise<unknown>>();
  const open = new Set<string>();
  let failure: { error: unknown } | undefined;

  const run = async (
    job: Job,
    signal: AbortSignal,
    completed?: Awaited<ReturnType<typeof listSteps>>,
  ): Promise<SubAgentResult> => {
    const [over, cancelled] = [new AbortController(), new AbortController()];
    void watchCancel(deps, job, over.signal, () => cancelled.abort());
    const running = runJob(deps, job, {
      course,
      cancel: AbortSignal.any([cancelUnlessHandedOver(signal, course), cancelled.signal]),
      ...(completed && { completed }),
      ancestors: [...ancestors, job.agent.id],
    });
    const end = await running
      .catch((error: unknown) => {
        log().warn("sub-agent run failed", { executionId: job.item.id, error: asError(error) });
        failure ??= { error };
        course.abortRun();
        throw error;
      })
      .finally(() => over.abort());
    if (end.type === "open") {
      signal.throwIfAborted();
      throw new StepError("execution-failed", `The run of "${job.agent.id}" was lost.`);
    }
    open.delete(job.item.id);
    const { result, error } = end.finished;
    return resultOf(job.item.id, job.agent.id, {
      status: result.status,
      output: end.finished.output,
      error,
    });
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
      const checked = await check(course, loaded.job.revision, input);
      if (checked.ok && isDeepStrictEqual(checked.values, loaded.job.values)) {
        return { path: place, begun: loaded };
      }
    }
  };

  const goOn = async (
    { job, execution }: LoadedJob,
    signal: AbortSignal,
  ): Promise<SubAgentResult> => {
    const { id, agentId } = job.item;
    const end = await endOf(execution, deps.objects);
    if (end) return resultOf(id, agentId, end);
    const place = { tenantId: job.tenantId, agentId, executionId: id };
    return run(job, signal, await listSteps(deps, place));
  };

  const begin = async ({ agentId, input, path, signal }: SubAgentCall): Promise<SubAgentResult> => {
    const { tenantId } = parent;
    const { agent, agentRevision, revision } = await findDeployed(deps, parent, agentId);
    const checked = await check(course, revision, input);
    if (!checked.ok) {
      const detail = checked.errors.map((each) => `${each.pointer} ${each.detail}`).join("; ");
      throw new StepError("execution-failed", `The input of "${agentId}" does not fit: ${detail}`);
    }
    const { db, send, runtime } = deps;
    await assertBudgetLeft({ db, send, clock: runtime.clock }, tenantId, agent).catch(toStepError);
    const fresh = { agent, agentRevision, revision };
    const { item, input: inputItem } = await newExecution(deps, {
      tenantId,
      agentId,
      agentRevision,
      parametersMetadata: revision.content.parametersMetadata,
      trigger: { type: triggerTypes.subAgent, id: parent.item.id, provider: null },
      input,
      metadata: {},
      isSample: parent.item.isSample,
      status: "Running",
    });
    const child = { agentId, executionId: item.id };
    open.add(item.id);
    const more = [putSubExecution(tenantId, parent.item.id, path, child)];
    const written = await putNewExecution(deps.db, tenantId, { item, input: inputItem, more });
    if (written === "exists") throw new Error(`a sub-agent was started at ${path} before`);
    const { endsBy } = parent;
    return run({ tenantId, ...fresh, item, values: checked.values, owner: null, endsBy }, signal);
  };

  const findAndRun = async (call: SubAgentCall): Promise<SubAgentResult> => {
    refuseCycle(call.agentId, ancestors);
    const { path, begun } = resumed ? await findPlace(call) : { path: call.path };
    return begun ? goOn(begun, call.signal) : begin({ ...call, path });
  };

  return {
    runner: {
      describe: (agentId) => describeAgent(deps, parent, agentId),
      run: (call) => {
        const running = findAndRun(call);
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
    areOpen: () => open.size > 0,
  };
};

const check = ({ processor }: RunContext, { content }: Job["revision"], input: unknown) =>
  checkInputs(content.parametersMetadata, input, processor);

/**
 * Creates a signal that is aborted with the step, but not when the run is handed over or lost: its sub-agents
 * are then resumed.
 */
const cancelUnlessHandedOver = (
  signal: AbortSignal,
  { handOver, lost }: RunContext,
): AbortSignal => {
  const cancel = new AbortController();
  const stop = () => {
    if (!handOver.aborted && !lost.aborted) cancel.abort();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return cancel.signal;
};

const refuseCycle = (agentId: string, ancestors: readonly string[]): void => {
  const way = [...ancestors, agentId].join(" → ");
  if (ancestors.includes(agentId)) {
    throw new StepError("execution-failed", `Agents must not call each other in a circle: ${way}.`);
  }
  if (ancestors.length > greatestDepth) {
    throw new StepError(
      "execution-failed",
      `Sub-agents may be at most ${greatestDepth} deep: ${way}.`,
    );
  }
};

const findDeployed = async (
  { db, loadRevision }: ExecutionDeps,
  { tenantId }: Job,
  agentId: string,
) => {
  const agent = await getAgent(db, tenantId, agentId);
  if (!agent) throw new StepError("execution-failed", `There is no agent "${agentId}".`);
  const agentRevision = agent.deployedRevision;
  if (agentRevision === null) {
    throw new StepError("execution-failed", `The agent "${agentId}" has no deployed revision.`);
  }
  const revision = await loadRevision(tenantId, agent, agentRevision);
  if (!revision) throw new Error(`revision ${agentId}/${agentRevision} is deployed but not there`);
  return { agent, agentRevision, revision };
};

const describeAgent = async (
  { db, loadRevision }: ExecutionDeps,
  { tenantId }: Job,
  agentId: string,
): ReturnType<AgentRunner["describe"]> => {
  const agent = await getAgent(db, tenantId, agentId);
  if (!agent || agent.deployedRevision === null) return undefined;
  const revision = await loadRevision(tenantId, agent, agent.deployedRevision);
  if (!revision) return undefined;
  return {
    displayName: agent.displayName,
    description: agent.description,
    parametersMetadata: revision.content.parametersMetadata,
  };
};

const toStepError = (error: unknown): never => {
  if (error instanceof Problem && error.slug === "budget-exceeded") {
    throw new StepError("budget-exceeded", error.message);
  }
  throw error;
};

const resultOf = (
  executionId: string,
  agentId: string,
  { status, output, error }: End,
): SubAgentResult => {
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
