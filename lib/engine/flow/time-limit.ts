import type { Run } from "./run.ts";
import { follow, RunStop, whenAborted } from "./run-stop.ts";
import type { StepPlan } from "./step-type.ts";
import { waitWithTimer } from "./wait.ts";

/** Bounds the time of one attempt at a step. */
export type TimeLimit = {
  /** Aborted when the attempt must stop. */
  readonly signal: AbortSignal;
  /** Ends with the work, or as soon as the attempt must stop. */
  race<Result>(work: Promise<Result>): Promise<Result>;
  release(): void;
};

/** Steps that wait for nothing but expressions need no timer: each expression is bounded. */
export function limitTime(run: Run, step: StepPlan): TimeLimit {
  if (!step.waits) {
    return { signal: run.signal, race: (work) => work, release: () => {} };
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
    // The inner steps end by themselves, and what they finished must be kept before the outer one ends.
    race: (work) => (step.inner ? work : Promise.race([work, aborted])),
    release() {
      timer.abort();
      release();
      unfollow();
    },
  };
}
