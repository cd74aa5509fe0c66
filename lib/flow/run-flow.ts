import type { CompiledFlow } from "./compile-flow.ts";
import { describeFailure } from "./describe-failure.ts";
import { LimitError } from "./expression-error.ts";
import type { FlowError, FlowOptions, FlowResult } from "./flow-result.ts";
import { FlowRun } from "./flow-run.ts";
import { createFlowState, type FlowState } from "./flow-state.ts";
import type { Run } from "./run-attempt.ts";
import { RunStop } from "./run-stop.ts";
import { StepError } from "./step-error.ts";
import { waitWithTimer } from "./wait.ts";

/**
 * Runs a flow to its end. Steps without a path between them run at the same time. Steps in
 * `completed` are not repeated; their usage and spans are part of the result. Rejects only
 * when `onStepCompleted` does; everything else that goes wrong is in the result.
 */
export async function runFlow(flow: CompiledFlow, options: FlowOptions): Promise<FlowResult> {
  const state = startState(options);
  if ("error" in state) {
    return { status: "Failed", output: null, error: state.error, usage: [], spans: [] };
  }
  const stop = new AbortController();
  const run: Run = { flow, options, state, stop, inTurn: createTurns() };
  const release = stopWhenTold(run);
  try {
    return await new FlowRun(run).toEnd();
  } finally {
    release();
    if (!stop.signal.aborted) stop.abort(new RunStop("ended"));
  }
}

function startState(options: FlowOptions): FlowState | { readonly error: FlowError } {
  try {
    return createFlowState(options);
  } catch (cause) {
    if (!(cause instanceof LimitError)) throw cause;
    const detail = "The input or the parameters are too large or nested too deeply.";
    return { error: describeFailure(new StepError("execution-failed", detail, { cause }), null) };
  }
}

/** Aborts the run when the caller does, and at its deadline. */
function stopWhenTold({ options, stop }: Run): () => void {
  const { signal, deadline, deps } = options;
  const cancel = () => stop.abort(new RunStop("cancelled"));
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  const timer = new AbortController();
  const timeUp = () => {
    if (!timer.signal.aborted) stop.abort(new RunStop("deadline"));
  };
  const left = deadline - deps.clock();
  if (left <= 0) timeUp();
  else (deps.sleep ?? waitWithTimer)(left, timer.signal).then(timeUp, timeUp);
  return () => {
    timer.abort();
    signal.removeEventListener("abort", cancel);
  };
}

function createTurns(): Run["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
