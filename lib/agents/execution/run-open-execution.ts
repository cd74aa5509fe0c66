import type { FlowEvent, StepOutcome } from "../../engine/flow/flow-result.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { deleteSteps } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { enqueueExecution } from "./enqueue-execution.ts";
import type { Job } from "./job.ts";
import { keepLease } from "./keep-lease.ts";
import { releaseOpen } from "./open-store.ts";
import { type RunEnd, runJob } from "./run-job.ts";
import { stepKeeper } from "./step-keeper.ts";
import { handOverMs, resendAfterMs } from "./times.ts";

/** A run under way. */
export type OpenRun = {
  /** Resolves with the end; rejects when storage fails: the execution is then gone on with elsewhere. */
  ended: Promise<RunEnd>;
  /** Keeps finished steps from now on; resolves when those finished before are kept. */
  toBackground: () => Promise<void>;
};

/** How a run is begun. `deadline`: when the function will be cut off, Unix milliseconds. */
export type OpenRunOptions = {
  deadline: number;
  inBackground: boolean;
  emit?: (event: FlowEvent) => void;
  completed?: ReadonlyMap<string, StepOutcome>;
};

/**
 * Runs an execution that this function call has taken up: renews its lease, stops when it is cancelled or
 * another run has it, and hands it over by the queue before the function's time is over.
 */
export const runOpenExecution = (
  deps: ExecutionDeps,
  job: Job & { owner: string },
  { deadline, inBackground, emit, completed }: OpenRunOptions,
): OpenRun => {
  const { runtime, sleep } = deps;
  const steps = stepKeeper(deps, inBackground);
  const over = new AbortController();
  const cancel = new AbortController();
  const lost = new AbortController();
  const handOver = new AbortController();
  const stop = (reason: "cancelled" | "lost") => (reason === "lost" ? lost : cancel).abort();
  const lease = { executionId: job.item.id, owner: job.owner };
  void keepLease(deps, lease, over.signal, stop);
  void sleep(deadline - handOverMs - runtime.clock(), over.signal).then(() => {
    if (!over.signal.aborted) handOver.abort();
  });

  const run = async (): Promise<RunEnd> => {
    const course = {
      steps,
      handOver: handOver.signal,
      breakOff: () => handOver.abort(),
      lost: lost.signal,
      processor: new ProcessorBudget(processorLimits.executionMs),
    };
    try {
      const end = await runJob(deps, job, {
        course,
        cancel: cancel.signal,
        ...(emit && { emit }),
        ...(completed && { completed }),
        ancestors: [job.agent.id],
      });
      if (end.type === "open" && !lost.signal.aborted)
        await giveBack(deps, job, steps.toBackground);
      if (end.type === "finished" && steps.isInBackground()) await forgetSteps(deps, job);
      return end;
    } catch (error) {
      await saveSteps(job, steps.toBackground);
      await letGo(deps, job, inBackground);
      throw error;
    } finally {
      over.abort();
    }
  };
  return { ended: run(), toBackground: steps.toBackground };
};

/** Hands an execution over to whoever takes the next message. */
const giveBack = async (
  deps: ExecutionDeps,
  { tenantId, item, owner }: Job & { owner: string },
  keepSteps: () => Promise<void>,
): Promise<void> => {
  await keepSteps();
  const until = deps.runtime.clock() + resendAfterMs(1);
  if (await releaseOpen(deps.db, item.id, owner, until)) {
    await enqueueExecution(deps.send, tenantId, item);
  }
};

/** After a failure of the storage: what was finished while a caller waited is in memory only. */
const saveSteps = async ({ item }: Job, keepSteps: () => Promise<void>): Promise<void> => {
  try {
    await keepSteps();
  } catch (error) {
    log().warn("steps could not be kept", { executionId: item.id, error: asError(error) });
  }
};

/** After a failure of the storage: a worker's message comes again by itself, a request's run is put on the queue. */
const letGo = async (
  { db, runtime, send }: ExecutionDeps,
  { tenantId, item, owner }: Job & { owner: string },
  hasMessage: boolean,
): Promise<void> => {
  try {
    const until = runtime.clock() + (hasMessage ? 0 : resendAfterMs(1));
    const released = await releaseOpen(db, item.id, owner, until);
    if (released && !hasMessage) await enqueueExecution(send, tenantId, item);
  } catch (error) {
    log().warn("execution could not be let go", { executionId: item.id, error: asError(error) });
  }
};

const forgetSteps = async (deps: ExecutionDeps, { tenantId, item }: Job): Promise<void> => {
  try {
    await deleteSteps(deps, { tenantId, agentId: item.agentId, executionId: item.id });
  } catch (error) {
    log().warn("steps could not be removed", { executionId: item.id, error: asError(error) });
  }
};
