import type { AgentRunner, SubAgentCall, SubAgentResult } from "../../engine/flow/agent-runner.ts";
import type { FlowError, StepOutcome } from "../../engine/flow/flow-result.ts";
import { runFlow } from "../../engine/flow/run-flow.ts";
import { RunStop } from "../../engine/flow/run-stop.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import { StepError } from "../../engine/step-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { spendGuard } from "../../spending/budget/reserve-spend.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import {
  interrupted,
  isInterrupted,
  readProgress,
  type StoredProgress,
} from "../checkpoints/checkpoint-store.ts";
import { finishExecution } from "../end/finish-execution.ts";
import { settleSubAgents, sumSubAgents } from "../end/settle-sub-agents.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { LoadedJob } from "../job/load-job.ts";
import { jobSecrets, maskInValue } from "../job/masks.ts";
import { toExecutionKey } from "../record/keys.ts";
import { type RunOutcome, readOutcome, readTreeCost, type TreeCost } from "../record/results.ts";
import { reserveOnRecord, resumeSubExecution } from "../record/store.ts";
import { traceContextBelow } from "../record/trace-id.ts";
import { beginWait, type WaitingRun } from "../wait/begin-wait.ts";
import { createRunWaits, type RunWaits } from "../wait/open-waits.ts";
import {
  continueElsewhere,
  guardRegistries,
  guardRun,
  isLost,
  type RunContext,
  type RunOptions,
} from "./run-context.ts";
import { type RunEnd, toFinalOutcome } from "./run-end.ts";
import {
  type CallingRun,
  cancelUnlessHandedOver,
  checkNesting,
  describeAgent,
  findEarlierCall,
  planCall,
  startCall,
  toSubAgentResult,
  watchCancel,
} from "./sub-agents.ts";

/**
 * Runs the flow of an execution from its last finished step and records its end. Rejects on storage failures.
 */
export const runJob = async (
  deps: ExecutionDeps,
  { job, context, stop, drain, emit, progress, ancestors }: { job: Job } & RunOptions,
): Promise<RunEnd> => {
  const { tenantId, agent, agentRevision, revision, item, values, session } = job;
  const { db, runtime } = deps;
  const completed = progress?.completed;
  const waits = createRunWaits(deps, progress?.waits ?? new Map());
  const outcomes: StepOutcome[] = [...(completed?.values() ?? [])];
  const earlier = [...(completed?.values() ?? [])]
    .filter(isInterrupted)
    .flatMap((kept) => kept.spans);
  const finishedSpans = new Set([...(completed?.values() ?? [])].flatMap((kept) => kept.spans));
  const { id, startTime, trigger } = item;
  const isResumed = completed !== undefined;
  const children = runSubAgents(deps, { job, context, ancestors, isResumed });
  const key = toExecutionKey(item);
  const guard = spendGuard(
    { db },
    {
      tenantId,
      agent,
      execution: {
        executionId: id,
        startTime,
        reserved: item.reserved,
        reserveOnRecord: (more) => reserveOnRecord(key, more),
      },
    },
  );
  const hasUnknownCosts = isResumed && revision.flow.agentIds.length > 0;
  const spend = guardRun([context.limit?.guardFor(id, hasUnknownCosts), guard], context);
  const secrets = jobSecrets(job).inTraces;
  const buildEvents = deps.endHooks.prepareEvents(deps, item);
  const result = await runFlow(revision.flow, {
    input: values,
    parameters: values,
    trigger,
    execution: { id, agentId: agent.id, agentRevision, startTime },
    deps: {
      clock: runtime.clock,
      sleep: deps.sleep,
      agents: children.runner,
      ...guardRegistries(deps, { tenantId, context }),
    },
    signal: stop,
    handOver: context.handOver.signal,
    ...(drain && { drain }),
    traceContextBelow: (spanId) => traceContextBelow(item, spanId),
    processor: context.processor,
    deadline: job.endsBy,
    ...(spend && { spend }),
    ...(revision.defaultLlm && { defaultLlm: revision.defaultLlm }),
    ...(session && { session }),
    ...(emit && { emit }),
    ...(completed && { completed }),
    ...(context.waits.mayWait && { waits }),
    hide: (value) => maskInValue(value, secrets),
    onStepCompleted: async (outcome) => {
      outcomes.push(outcome);
      for (const span of outcome.spans) finishedSpans.add(span);
      await continueElsewhere(context, () => context.steps.keep(job, outcome));
    },
  }).finally(children.ended);
  if (isLost(context)) return "open";
  const { status } = result;
  const keepUnfinished = () => {
    const spans = result.spans.filter((span) => !finishedSpans.has(span));
    return context.steps.keep(job, interrupted(newUuid(runtime), spans));
  };
  if (status === "Interrupted") {
    await keepUnfinished();
    return "open";
  }
  children.assertRecorded();
  const reserved = guard?.reserved() ?? item.reserved;
  const spans = [...earlier, ...result.spans];
  const usage = sumUsage(spans);
  const refusal =
    status === "Waiting" ? await refuseLongWait(deps, { context, item, waits }) : undefined;
  if (status === "Waiting" && !refusal) {
    const spent = totalUsage(usage).cost.totalCost;
    // Failed attempts, and what else was spent on steps that run again.
    const unfinished = result.spans.filter((span) => !finishedSpans.has(span) && span.usage);
    if (unfinished.length > 0) outcomes.push(interrupted(newUuid(runtime), unfinished));
    return waitFor(deps, { context, job, waits: waits.list(), outcomes, reserved, spent });
  }
  const end = refusal ? { status: "Failed" as const, error: refusal } : { status };
  const subAgentsCost = await sumSubAgents(deps, {
    job,
    known: children.costs,
    hasEarlierRuns: isResumed,
  });
  const run = { job, result: { ...result, ...end, spans, usage }, subAgentsCost, reserved };
  const finished = await finishExecution(deps, { ...run, buildEvents }).catch(
    async (error: unknown) => {
      // The next run counts the usage of the failed steps.
      await keepUnfinished().catch(() => undefined);
      throw error;
    },
  );
  if (!finished) return "open";
  const mayHaveOthers = isResumed && revision.flow.agentIds.length > 0;
  if (!mayHaveOthers && !children.areOpen()) return finished;
  return settleSubAgents(deps, { job, outcome: finished });
};

const dayMs = 86_400_000;

/** Returns why an execution cannot wait until its waits end: its record and its input would have expired. */
const refuseLongWait = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  { context, item, waits }: { context: RunContext; item: Job["item"]; waits: RunWaits },
): Promise<FlowError | undefined> => {
  const ends = [...waits.list().map(({ until }) => until), ...context.waits.below];
  const { tenantId } = toExecutionKey(item);
  const { executionDays } = await findRetention(db, tenantId, runtime.clock());
  if (Math.max(...ends) < item.startTime + executionDays * dayMs) return undefined;
  const detail = `The wait is longer than the tenant keeps executions: ${executionDays} days.`;
  return { slug: "execution-failed", detail, step: null };
};

/** Makes an execution wait; "open" when it has to be run again before, by another run. */
const waitFor = async (
  deps: ExecutionDeps,
  { context, ...waiting }: Omit<WaitingRun, "root" | "until"> & { context: RunContext },
): Promise<RunEnd> => {
  const { root, waits: all } = context;
  const { job, waits } = waiting;
  const ends = [...waits.map(({ until }) => until), ...all.below];
  const waitsUntil = Math.min(...ends);
  const isOutermost = job.owner !== null;
  if (isOutermost && all.isDisturbed) return "open";
  const until = Math.max(...ends);
  const isWaiting = (await beginWait(deps, { ...waiting, root, until })) === "waiting";
  if (isOutermost) return isWaiting ? { waitsUntil } : "open";
  all.below.push(...waits.map(({ until: end }) => end));
  all.isDisturbed ||= !isWaiting;
  return { waitsUntil };
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
  const costs = new Map<string, TreeCost>();
  let failure: { error: unknown } | undefined;

  const settle = (outcome: RunOutcome): SubAgentResult => {
    open.delete(outcome.item.id);
    costs.set(outcome.item.id, readTreeCost(outcome.item));
    return toSubAgentResult(outcome);
  };

  const run = async (
    job: Job,
    { signal, mayWait }: Pick<SubAgentCall, "signal" | "mayWait">,
    progress?: StoredProgress,
  ): Promise<SubAgentResult> => {
    const [over, cancelled] = [new AbortController(), new AbortController()];
    void watchCancel(deps, { key: toExecutionKey(job.item), over: over.signal, cancelled });
    const stops = [cancelUnlessHandedOver(signal, context), cancelled.signal, context.stop];
    const end = await runJob(deps, {
      job,
      context: mayWait ? context : { ...context, waits: { ...context.waits, mayWait } },
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
      .finally(() => over.abort());
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
    const { path, earlier } = isResumed
      ? await findEarlierCall(deps, { caller, request })
      : { path: request.path };
    if (earlier) return resume(earlier, request);
    const plan = await planCall(deps, { caller, request });
    open.add(plan.start.id);
    return run(await startCall(deps, { caller, plan, path }), request);
  };

  return {
    runner: {
      describe: (agentId) =>
        continueElsewhere(context, () =>
          describeAgent(deps, { tenantId: parent.tenantId, agentId }),
        ),
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
