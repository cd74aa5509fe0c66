import { endWaits, waitWithTimer } from "../../platform/runtime/wait.ts";
import type { Run } from "./run.ts";
import { follow, RunStop, whenAborted } from "./run-stop.ts";
import type { StepPlan } from "./step-type.ts";

/** The time limit of one attempt at a step. */
export type TimeLimit = {
  /** Aborted when the attempt must stop. */
  readonly signal: AbortSignal;
  /** Settles with the work, or rejects when the attempt must stop. */
  race<Result>(work: Promise<Result>): Promise<Result>;
  /** Lifts the limit of an attempt in which only waits are left. */
  lift(): void;
  release(): void;
};

/**
 * Starts the time limit of an attempt. Steps that only evaluate expressions need no timer, because
 * expressions have their own limit.
 */
export const startTimeLimit = (run: Run, step: StepPlan): TimeLimit => {
  if (!step.waits) {
    return { signal: run.signal, race: (work) => work, lift: () => {}, release: () => {} };
  }
  const attempt = new AbortController();
  const timer = new AbortController();
  const unfollow = follow(run.signal, attempt);
  if (Number.isFinite(step.timeoutSeconds)) {
    const sleep = run.options.deps.sleep ?? waitWithTimer;
    const timeUp = () => {
      if (!timer.signal.aborted) attempt.abort(new RunStop("step-timeout"));
    };
    sleep(step.timeoutSeconds * 1_000, timer.signal).then(timeUp, timeUp);
  }
  const { aborted, release } = whenAborted(attempt.signal);
  return {
    signal: attempt.signal,
    // Inner steps stop by themselves, and their finished work must be stored before the outer step ends.
    race: (work) => (step.inner ? work : Promise.race([work, aborted])),
    lift: () => endWaits(timer),
    release() {
      endWaits(timer);
      release();
      unfollow();
    },
  };
};
