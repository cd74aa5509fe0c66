import { onlyCompute } from "../../engine/flow/computing-steps.ts";
import type { FlowEvent } from "../../engine/flow/flow-result.ts";
import type { SpendLimit } from "../../engine/flow/spend-guard.ts";
import { hasFiles } from "../../files/store-input-files.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { withinCallersTime } from "../../platform/runtime/aws-retry.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { StoredProgress } from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import {
  handOverMs,
  leaseMs,
  maxExecutionMs,
  releaseExecution,
  renewalMs,
  renewExecution,
  resendAfterMs,
} from "../lease/execution-lease.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { RunOutcome } from "../record/results.ts";
import { triggerTypes } from "../schemas.ts";
import type { NewItems } from "../start/new-record.ts";
import { type StartPlan, writtenAtEnd } from "../start/plan-start.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { buildJob, prepareItems, startExecution } from "../start/start-execution.ts";
import { findPeople } from "./flow-options.ts";
import {
  isLost,
  type RunContext,
  type RunEnd,
  type StopReason,
  stepKeeper,
  toFinalOutcome,
} from "./run-context.ts";
import { runJob } from "./run-job.ts";

/** A run in progress. */
export type OpenRun = {
  /** Resolves with its end; rejects on a storage failure, after which another run continues the execution. */
  ended: Promise<RunEnd>;
  /** Stores finished steps from now on; resolves when the earlier ones are stored. */
  toBackground: () => Promise<void>;
  /**
   * Stores finished steps, too, and leaves the steps that have not started to a worker: the run ends when the steps in
   * progress have finished. Those are not stopped, because they may have effects and would be repeated.
   */
  toQueue: () => Promise<void>;
  /**
   * Stops the steps in progress, which a worker runs again; for a run without calls to other
   * systems.
   */
  abandon: () => void;
};

/** Options of a run. `deadline`: when the function times out, Unix milliseconds. */
export type OpenRunOptions = {
  deadline: number;
  inBackground: boolean;
  emit?: (event: FlowEvent) => void;
  progress?: StoredProgress;
  /** A limit of its cost with its sub-agents, in addition to budgets. */
  limit?: SpendLimit | undefined;
  /** Whether something waits for its end, so that it may not wait itself. */
  isAwaited?: boolean;
};

/**
 * Runs a claimed execution: renews its lease, stops when it is cancelled or held by another run, and hands it
 * over through the queue before the function times out.
 */
export const runOpenExecution = (
  deps: ExecutionDeps,
  {
    job,
    options: { deadline, inBackground, emit, progress, limit, isAwaited = false },
  }: { job: Job & { owner: string }; options: OpenRunOptions },
): OpenRun => {
  const { runtime, sleep } = deps;
  const steps = stepKeeper(deps, inBackground);
  const over = new AbortController();
  const stop = new AbortController();
  const handOver = new AbortController();
  const lease = { ...toExecutionKey(job.item), owner: job.owner };
  const drain = new AbortController();
  void keepLease(deps, { lease, over: over.signal, stop });
  void sleep(deadline - handOverMs - runtime.clock(), over.signal).then(() => {
    if (!over.signal.aborted) handOver.abort();
  });

  const run = async (): Promise<RunEnd> => {
    const context = openContext(deps, {
      job,
      run: {
        steps,
        stop: stop.signal,
        handOver,
        limit,
        hasMessage: inBackground,
        mayWait: !isAwaited && mayWait(job.item),
      },
    });
    try {
      const end = await runJob(deps, {
        job,
        context,
        stop: stop.signal,
        drain: drain.signal,
        ...(emit && { emit }),
        ...(progress && { progress }),
        ancestors: [job.agent.id],
      });
      if (end === "open" && !isLost(context)) {
        await steps.toBackground();
        await handOverToQueue(deps, job, context.waits.isReached);
      }
      if (toFinalOutcome(end)) await steps.forget();
      return end;
    } catch (error) {
      await saveSteps(job, steps.toBackground);
      await release(deps, job, inBackground);
      throw error;
    } finally {
      endWaits(over);
    }
  };
  return {
    ended: run(),
    toBackground: steps.toBackground,
    toQueue: () => {
      drain.abort();
      return steps.toBackground();
    },
    abandon: () => handOver.abort(),
  };
};

/** Opens the context of the run of an outermost execution. */
const openContext = (
  deps: ExecutionDeps,
  {
    job: { tenantId, item, owner },
    run: { mayWait: mayItWait, ...run },
  }: {
    job: Job & { owner: string };
    run: Pick<RunContext, "steps" | "stop" | "handOver" | "limit" | "hasMessage"> & {
      mayWait: boolean;
    };
  },
): RunContext => ({
  ...run,
  processor: new ProcessorBudget(tenantId, processorLimits.executionMs),
  root: toExecutionKey(item),
  owner,
  starterId: findStarter(item),
  people: findPeople(deps, item),
  waits: { mayWait: mayItWait, below: [], isDisturbed: false, isReached: false },
});

const findStarter = ({ trigger: { type, id }, chatUser }: ExecutionRecord): string | null =>
  type === triggerTypes.api || type === triggerTypes.test ? id : (chatUser ?? null);

/** Returns whether an execution may wait: not one of a scorer, which waits for its end itself. */
const mayWait = ({ trigger, limitName }: ExecutionRecord): boolean =>
  trigger.type !== triggerTypes.subAgent && limitName === undefined;

/**
 * Starts a planned execution and runs it in this function, not in a worker. `run` is undefined for one that was started
 * before, or waits for its turn in its session.
 */
export const startRun = async (
  deps: ExecutionDeps,
  { plan, ...options }: { plan: StartPlan } & OpenRunOptions,
): Promise<{ item: ExecutionRecord; run: OpenRun | undefined }> => {
  const owner = newUuid(deps.runtime);
  const runner = { type: "caller", owner, agent: plan.deployed.agent } as const;
  const { item, isNew, isDormant } = await startExecution(deps, { ...plan.start, runner });
  if (!isNew || isDormant) return { item, run: undefined };
  const endsBy = deps.runtime.clock() + maxExecutionMs;
  const job = buildJob(plan, { item, owner, endsBy });
  return { item, run: runOpenExecution(deps, { job, options }) };
};

/** Time for which an execution may run without its record, in milliseconds. */
const maxUnwrittenMs = 1_000;
/** Time for which the storage is tried again without its record, in milliseconds: then it is started, in what its caller has left. */
const maxUnstoredMs = 3_000;

/**
 * Returns whether an execution may run before its record is written: its steps only compute, so that a run which is lost has had
 * no effect, and nothing else needs its record.
 */
export const mayRunAtOnce = ({
  deployed: { revision },
  start,
  values,
  asksServices,
}: StartPlan): boolean =>
  onlyCompute(revision.flow.steps) &&
  start.session === undefined &&
  !asksServices &&
  !hasFiles(revision.content.parametersMetadata, values);

/**
 * Runs an execution that only computes, and writes its record once, with its end. Returns undefined, and leaves no record, where
 * it has not ended within a second, or the storage failed; then it is to be started.
 */
export const runAtOnce = async (
  deps: ExecutionDeps,
  plan: StartPlan,
): Promise<RunOutcome | undefined> => {
  const items = await prepareItems(deps, writtenAtEnd(plan));
  return withinCallersTime(deps.runtime.clock() + maxUnstoredMs, () =>
    runUnwritten(deps, { plan, items, limitMs: maxUnwrittenMs }),
  );
};

/**
 * Runs an execution as `runAtOnce`.
 * @param input `items`: its items; an input of its own is written. `limitMs`: its time. `processor`: default as of any other
 */
export const runUnwritten = async (
  deps: ExecutionDeps,
  {
    plan,
    items: { item, record },
    limitMs,
    processor,
  }: { plan: StartPlan; items: NewItems; limitMs: number; processor?: ProcessorBudget },
): Promise<RunOutcome | undefined> => {
  const over = new AbortController();
  try {
    const owner = newUuid(deps.runtime);
    const endsBy = deps.runtime.clock() + maxExecutionMs;
    const job = { ...buildJob(plan, { item, owner, endsBy }), unwritten: record };
    const handOver = new AbortController();
    const stop = new AbortController().signal;
    const steps = stepKeeper(deps, false);
    const run = { steps, stop, handOver, hasMessage: false, mayWait: false };
    const opened = openContext(deps, { job, run });
    const context = { ...opened, processor: processor ?? opened.processor };
    void deps.sleep(limitMs, over.signal).then(() => !over.signal.aborted && handOver.abort());
    const end = await runJob(deps, { job, context, stop, ancestors: [job.agent.id] });
    const outcome = toFinalOutcome(end);
    if (!outcome) log("execution-not-ended-at-once", { executionId: item.id });
    return outcome;
  } catch (error) {
    log("execution-not-written", { executionId: item.id, error: asError(error) });
    return undefined;
  } finally {
    endWaits(over);
  }
};

/** Hands an execution over to the worker that receives the next message. */
const handOverToQueue = async (
  deps: ExecutionDeps,
  { tenantId, item, owner }: Job & { owner: string },
  isReached: boolean,
): Promise<void> => {
  const leaseUntil = deps.runtime.clock() + resendAfterMs(1);
  const lease = { owner, leaseUntil, isReached };
  if (await releaseExecution(deps.db, toExecutionKey(item), lease)) {
    await enqueueExecutions(deps.send, tenantId, [item]);
  }
};

/** Stores the steps that are only in memory, after a storage failure. */
const saveSteps = async ({ item }: Job, keepSteps: () => Promise<void>): Promise<void> => {
  try {
    await keepSteps();
  } catch (error) {
    log("steps-not-stored", { executionId: item.id, error: asError(error) });
  }
};

/**
 * Releases an execution after a storage failure: a worker's message is redelivered, a request's run is queued.
 */
const release = async (
  { db, runtime, send }: ExecutionDeps,
  { tenantId, item, owner }: Job & { owner: string },
  hasMessage: boolean,
): Promise<void> => {
  try {
    const leaseUntil = runtime.clock() + (hasMessage ? 0 : resendAfterMs(1));
    const released = await releaseExecution(db, toExecutionKey(item), { owner, leaseUntil });
    if (released && !hasMessage) await enqueueExecutions(send, tenantId, [item]);
  } catch (error) {
    log("execution-not-released", { executionId: item.id, error: asError(error) });
  }
};

/**
 * Renews the lease of a run until `over`. Aborts `stop` when the execution was cancelled or another run holds
 * it. A failed renewal is only logged: ending the execution checks the owner again.
 */
export const keepLease = async (
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  {
    lease: { owner, ...key },
    over,
    stop,
  }: { lease: ExecutionKey & { owner: string }; over: AbortSignal; stop: AbortController },
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const outcome = await renewExecution(db, key, owner, runtime.clock() + leaseMs);
      if (outcome === "renewed") continue;
      if (over.aborted) return;
      return stop.abort(outcome satisfies StopReason);
    } catch (error) {
      log("execution-lease-not-renewed", { ...key, error: asError(error) });
    }
  }
};
