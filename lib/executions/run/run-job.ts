import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import type { FlowError, FlowResult, StepOutcome } from "../../engine/flow/flow-result.ts";
import { runFlow } from "../../engine/flow/run-flow.ts";
import { RunStop } from "../../engine/flow/run-stop.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import { StepError } from "../../engine/step-error.ts";
import { shareOutputFiles } from "../../files/share-output-files.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import {
  interrupted,
  isInterrupted,
  listNamedSubExecutions,
  readProgress,
  type StoredProgress,
} from "../checkpoints/checkpoint-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import { finishExecution } from "../end/end-execution.ts";
import { closeWaits, settleSubAgents, sumSubAgents } from "../end/settle-execution.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { LoadedJob } from "../job/load-job.ts";
import { toExecutionKey } from "../record/keys.ts";
import { type RunOutcome, readOutcome, readTreeCost, type TreeCost } from "../record/results.ts";
import { resumeSubExecution } from "../record/waiting-store.ts";
import { getStarter } from "../schemas.ts";
import { enqueueEnded } from "../start/queue-executions.ts";
import { limitWaits, requestEarly } from "../wait/begin-wait.ts";
import { createRunWaits, type RequestEarly, type RunWaits } from "../wait/open-waits.ts";
import { forgetWakes, listAnswered } from "../wait/send-wake.ts";
import { buildFlowOptions } from "./flow-options.ts";
import { openJob } from "./open-job.ts";
import type { RunGuard } from "./open-run-guard.ts";
import {
  continueElsewhere,
  isLost,
  type RunContext,
  type RunEnd,
  type RunOptions,
  toFinalOutcome,
  watchCancel,
} from "./run-context.ts";
import {
  type CallingRun,
  cancelUnlessHandedOver,
  checkNesting,
  collectStarted,
  describeAgent,
  findEarlierCall,
  planCall,
  startCall,
  toSubAgentResult,
} from "./sub-agents.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Runs the flow of an execution from its last finished step and records its end. Rejects on storage failures.
 */
export const runJob = async (
  deps: ExecutionDeps,
  { job: given, context, stop, drain, emit: send, progress, ancestors }: { job: Job } & RunOptions,
): Promise<RunEnd> => {
  const isResumed = progress !== undefined;
  const { guarding, screened, completed, session, turns, job, budget, spend } = await openJob(
    deps,
    { job: given, context, emit: send, progress },
  );
  const { revision, item } = job;
  const { mask } = guarding;
  const waits = openWaits(deps, { job, context, progress, mask });
  const forgetting =
    progress && forgetWakes(deps, { job, root: context.root, waits: listAnswered(progress) });
  /** Steps that another run repeats from a stored answer. */
  const answered = new Set(waits.ended.keys());
  const outcomes: StepOutcome[] = [...(completed?.values() ?? [])];
  const earlier = [...(completed?.values() ?? [])]
    .filter(isInterrupted)
    .flatMap((kept) => kept.spans);
  const finishedSpans = new Set([...(completed?.values() ?? [])].flatMap((kept) => kept.spans));
  const children = runSubAgents(deps, { job, context, ancestors, isResumed });
  const buildEvents = deps.endHooks.prepareEvents(deps, item);
  const options = buildFlowOptions(deps, {
    agents: children.runner,
    job,
    context,
    stop,
    drain,
    emit: guarding.emit,
    spend,
    guard: guarding.guard,
    completed,
    session: turns,
    waits,
  });
  const keep = (outcome: StepOutcome, isRepeatable?: boolean) =>
    context.steps.keep(job, guarding.maskOutcome(outcome), isRepeatable);
  const runFlowToEnd = async (): Promise<FlowResult> => {
    try {
      if (screened.error) return refuse(screened.error);
      return await runFlow(revision.flow, {
        ...options,
        onStepCompleted: async (outcome) => {
          outcomes.push(outcome);
          for (const span of outcome.spans) finishedSpans.add(span);
          const isRepeatable = answered.has(outcome.stepId);
          await continueElsewhere(context, () => keep(outcome, isRepeatable));
        },
      });
    } finally {
      await Promise.all([children.ended(), waits.settle(), forgetting]);
    }
  };
  const result = await runFlowToEnd();
  if (isLost(context)) return "open";
  const { status } = result;
  const kept = new Set(completed?.values());
  const suspended = result.suspended ?? [];
  const keepUnfinished = async () => {
    const spans = result.spans.filter((span) => !finishedSpans.has(span));
    for (const outcome of suspended) {
      if (!kept.has(outcome)) await keep(outcome);
    }
    await keep(interrupted(newUuid(deps.runtime), spans));
  };
  if (status === "Interrupted") {
    await keepUnfinished();
    return "open";
  }
  children.assertRecorded();
  const reserved = budget?.reserved() ?? item.reserved;
  const spans = [...earlier, ...result.spans, ...suspended.flatMap((outcome) => outcome.spans)];
  const usage = sumUsage(spans);
  const others = context.waits.below.map(({ until }) => until);
  const limited =
    status === "Waiting"
      ? await limitWaits(deps, { item, waits: waits.list(), others }).catch(toRefusal)
      : undefined;
  if (Array.isArray(limited)) {
    const spent = totalUsage(usage).cost.totalCost;
    // Failed attempts, and what else was spent on steps that run again.
    const unfinished = result.spans.filter((span) => !finishedSpans.has(span) && span.usage);
    if (unfinished.length > 0) outcomes.push(interrupted(newUuid(deps.runtime), unfinished));
    const all = [...outcomes.filter((outcome) => !outcome.suspended), ...suspended];
    const shown = { outcomes: all.map(guarding.maskOutcome), left: waits.listLeft() };
    const waiting = { job, mask, waits: limited, ...shown, reserved, spent };
    const end = await waitFor(deps, { context, ...waiting });
    if (end === "open" && !isLost(context)) await keepUnfinished();
    return end;
  }
  const end = limited ? { status: "Failed" as const, error: limited } : { status };
  const subAgentsCost = await sumSubAgents(deps, {
    job,
    known: children.costs,
    hasEarlierRuns: isResumed,
  });
  const failed = async (error: unknown): Promise<never> => {
    // The next run counts the usage of the failed steps.
    await keepUnfinished().catch(() => undefined);
    throw error;
  };
  const ended = { ...result, ...end, spans, usage };
  const checked = await guarding.checkResult(ended, spend).catch(failed);
  const closed = session?.close(outcomes, guarding);
  const stored = waits.listStored();
  if (!context.hasMessage && (children.areOpen() || stored.length > 0)) {
    await enqueueEnded(deps.send, toExecutionKey(item));
  }
  const run = { job, result: checked, subAgentsCost, reserved, session: closed };
  const finished = await finishExecution(deps, { ...run, buildEvents }).catch(failed);
  if (!finished) return "open";
  guarding.release();
  const mayHaveChildren = children.areOpen() || (isResumed && revision.flow.agentIds.length > 0);
  return closeEnded(deps, { job, root: context.root, stored, outcome: finished, mayHaveChildren });
};

/** Closes the open waits and sub-agents of an execution that has ended. */
const closeEnded = async (
  deps: ExecutionDeps,
  {
    job,
    root,
    stored,
    outcome,
    mayHaveChildren,
  }: {
    job: Job;
    root: RunContext["root"];
    stored: readonly StoredWait[];
    outcome: RunOutcome;
    mayHaveChildren: boolean;
  },
): Promise<RunOutcome> => {
  if (stored.length > 0) {
    await closeWaits(deps, { key: toExecutionKey(job.item), open: stored });
    await forgetWakes(deps, { job, root, waits: stored });
  }
  return mayHaveChildren ? settleSubAgents(deps, { job, outcome }) : outcome;
};

/** Returns the result of a flow that does not run. */
const refuse = (error: FlowError): FlowResult => ({
  status: "Failed",
  output: null,
  error,
  usage: [],
  spans: [],
});

/** Creates the waits of a run, which requests approvals while it continues. */
const openWaits = (
  deps: ExecutionDeps,
  {
    job,
    context,
    progress,
    mask,
  }: Pick<RunGuard, "mask"> & {
    job: Job;
    context: RunContext;
    progress: StoredProgress | undefined;
  },
): RunWaits => {
  const { root, owner, starterId } = context;
  const execution = { job, root, starterId, mask };
  const request: RequestEarly = (asked) =>
    continueElsewhere(context, () => requestEarly(deps, { execution, owner, waits: asked }));
  return createRunWaits(
    { ...deps, requestEarly: request },
    { key: toExecutionKey(job.item), progress },
  );
};

/** Returns why an execution may not wait. */
const toRefusal = (error: unknown): FlowError => {
  if (!(error instanceof StepError)) throw error;
  return { slug: error.slug, detail: error.message, step: null };
};

/** The sub-agents of one run. */
type SubAgentRuns = {
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

/**
 * Runs sub-agents within a run, as separate executions under the parent's lease. Resumes an
 * execution that an earlier run started at the same path, or returns its outcome when it has ended.
 */
const runSubAgents = (
  deps: ExecutionDeps,
  { isResumed, ...caller }: CallingRun & { isResumed: boolean },
): SubAgentRuns => {
  const { job: parent, context, ancestors } = caller;
  const underWay = new Set<Promise<unknown>>();
  const open = new Set<string>();
  const { tenantId, item } = parent;
  const listEarlier = () => listNamedSubExecutions(deps.db, tenantId, item.id);
  const started = collectStarted(isResumed ? listEarlier : undefined);
  const costs = new Map<string, TreeCost>();
  let failure: { error: unknown } | undefined;

  const settle = async (outcome: RunOutcome): Promise<SubAgentResult> => {
    open.delete(outcome.item.id);
    costs.set(outcome.item.id, readTreeCost(outcome.item));
    const result = toSubAgentResult(outcome);
    await shareOutputFiles(deps.db, {
      tenantId,
      output: result.output,
      from: toExecutionKey(outcome.item),
      to: toExecutionKey(item),
      starter: getStarter(item.trigger),
      now: deps.runtime.clock(),
    });
    return result;
  };

  const run = async (
    job: Job,
    { signal }: Pick<SubAgentCall, "signal">,
    progress?: StoredProgress,
  ): Promise<SubAgentResult> => {
    const [over, cancelled] = [new AbortController(), new AbortController()];
    void watchCancel(deps, { key: toExecutionKey(job.item), over: over.signal, cancelled });
    const stops = [cancelUnlessHandedOver(signal, context), cancelled.signal, context.stop];
    const end = await runJob(deps, {
      job,
      context,
      stop: AbortSignal.any(stops),
      ...(progress && { progress }),
      ancestors: [...ancestors, job.agent.id],
    })
      .catch((error: unknown) => {
        log("sub-agent-failed", { executionId: job.item.id, error: asError(error) });
        failure ??= { error };
        context.handOver.abort();
        throw error;
      })
      .finally(() => endWaits(over));
    const ended = toFinalOutcome(end);
    if (ended) return settle(ended);
    if (end !== "open") throw new RunStop("waiting");
    signal.throwIfAborted();
    const detail = `Another function continues the execution of "${job.agent.id}".`;
    throw new StepError("execution-failed", detail);
  };

  const resume = async ({ job, execution }: LoadedJob, request: SubAgentCall) => {
    const outcome = await readOutcome(deps, execution);
    if (outcome) return settle(outcome);
    const key = toExecutionKey(job.item);
    if (job.item.status === "Waiting") await resumeSubExecution(deps.db, key);
    return run(job, request, await readProgress(deps, key, deps.runtime.clock()));
  };

  const call = async (request: SubAgentCall): Promise<SubAgentResult> => {
    checkNesting(request.agentId, ancestors);
    const { path, earlier } = await findEarlierCall(deps, { caller, request, started, isResumed });
    if (earlier) return resume(earlier, request);
    const plan = await planCall(deps, { caller, request });
    open.add(plan.start.id);
    const job = await startCall(deps, { caller, plan, path });
    started.add(path, toExecutionKey(job.item));
    return run(job, request);
  };

  return {
    runner: {
      describe: (agentId) =>
        continueElsewhere(context, () => describeAgent(deps, { tenantId, agentId })),
      run: (request) => {
        const running = continueElsewhere(context, () => call(request), request.signal);
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
