import { setImmediate } from "node:timers/promises";
import { endWaits, waitWithTimer } from "../../platform/runtime/wait.ts";
import { closeSession, openSession } from "../../values/expression/evaluation-scope.ts";
import { LimitError } from "../../values/expression/expression-error.ts";
import { StepError } from "../step-error.ts";
import type { CompiledFlow } from "./compile-flow.ts";
import { describeFailure } from "./describe-failure.ts";
import type { FlowError, FlowOptions, FlowResult } from "./flow-result.ts";
import { createFlowState, type FlowState } from "./flow-state.ts";
import { createActivity } from "./idle.ts";
import { Ledger } from "./ledger.ts";
import type { Run } from "./run.ts";
import { RunStop } from "./run-stop.ts";
import { StepScheduler } from "./step-scheduler.ts";
import { Suspensions } from "./suspensions.ts";

/**
 * Runs a flow to its end. Steps without a path between them run concurrently. Steps in `completed` are not
 * repeated; the result includes their usage and spans. Rejects only when `onStepCompleted` does; returns all
 * other failures.
 */
export const runFlow = async (flow: CompiledFlow, options: FlowOptions): Promise<FlowResult> => {
  const state = startState(options);
  if ("error" in state) {
    return { status: "Failed", output: null, error: state.error, usage: [], spans: [] };
  }
  const stop = new AbortController();
  const { signal } = stop;
  const run: Run = {
    flow,
    options,
    state,
    session: openSession(),
    processor: options.processor,
    signal,
    ledger: new Ledger(options.limits?.maxStepRuns, options.hide),
    activity: createActivity(),
    suspensions: new Suspensions(options.completed),
    items: new Map(),
    stop: (kind) => {
      if (!signal.aborted) stop.abort(new RunStop(kind));
    },
    inTurn: createTurns(),
  };
  const release = stopOnSignals(run);
  try {
    return await new StepScheduler(run).toEnd();
  } finally {
    release();
    run.stop("ended");
    closeSession(run.session);
  }
};

const startState = (options: FlowOptions): FlowState | { readonly error: FlowError } => {
  try {
    return createFlowState(options);
  } catch (cause) {
    if (!(cause instanceof LimitError)) throw cause;
    const detail = "The input or the parameters are too large or nested too deeply.";
    return { error: describeFailure(new StepError("execution-failed", detail, { cause }), null) };
  }
};

/** Stops the run when the caller cancels it or hands it over, and at its deadline. */
const stopOnSignals = ({ options, stop }: Run): (() => void) => {
  const { signal, deadline, handOver, deps } = options;
  const cancel = () => stop("cancelled");
  const interrupt = () => stop("interrupted");
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  const timer = new AbortController();
  const timeUp = () => {
    if (!timer.signal.aborted) stop("deadline");
  };
  const left = deadline - deps.clock();
  if (left <= 0) timeUp();
  else (deps.sleep ?? waitWithTimer)(left, timer.signal).then(timeUp, timeUp);
  if (handOver?.aborted) interrupt();
  else handOver?.addEventListener("abort", interrupt, { once: true });
  return () => {
    endWaits(timer);
    signal.removeEventListener("abort", cancel);
    handOver?.removeEventListener("abort", interrupt);
  };
};

/** Maximum time of consecutive evaluations before timers and signals are processed. */
const maxStretchMs = 50;

const createTurns = (): Run["inTurn"] => {
  let last: Promise<unknown> = Promise.resolve();
  let paused = performance.now();
  const pause = async () => {
    await setImmediate();
    paused = performance.now();
  };
  return (work) => {
    const mine = last.then(() =>
      performance.now() - paused < maxStretchMs ? work() : pause().then(work),
    );
    last = mine.catch(() => {});
    return mine;
  };
};
