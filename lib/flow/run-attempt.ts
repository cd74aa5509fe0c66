import type { CompiledFlow } from "./compile-flow.ts";
import { emit } from "./emit.ts";
import { evaluateDeep } from "./expression.ts";
import type { FlowOptions } from "./flow-result.ts";
import type { FlowState } from "./flow-state.ts";
import type { Json } from "./json.ts";
import { RunStop, whenAborted } from "./run-stop.ts";
import { StepError } from "./step-error.ts";
import type { StepNotes, StepPlan, StepResult } from "./step-type.ts";
import { waitWithTimer } from "./wait.ts";

/** What all steps of one run share. */
export type Run = {
  readonly flow: CompiledFlow;
  readonly options: FlowOptions;
  readonly state: FlowState;
  readonly stop: AbortController;
  /** Evaluations follow one another, so that each has the whole of its time. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
};

const defaultTimeoutSeconds = 60;

/** Runs a step once, within its time. */
export async function runAttempt(run: Run, step: StepPlan, notes: StepNotes): Promise<StepResult> {
  const { clock, models, tools } = run.options.deps;
  const timeoutMs = (step.base.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000;
  const limit = limitTime(run, step, timeoutMs);
  const endsAt = clock() + timeoutMs;
  try {
    const working = step.run({
      evaluate: (value) => evaluate(run, value, endsAt),
      signal: limit.signal,
      clock,
      models,
      tools,
      defaultLlm: run.options.defaultLlm,
      note: (found) => void Object.assign(notes, found),
      delta(text) {
        if (limit.signal.aborted || text === "") return;
        emit(run, { type: "output.delta", stepId: step.base.id, text });
      },
    });
    return await limit.race(working);
  } catch (error) {
    if (limit.signal.aborted) throw reasonOf(limit.signal, step);
    throw error;
  } finally {
    limit.release();
  }
}

function reasonOf(signal: AbortSignal, step: StepPlan): unknown {
  const { reason } = signal;
  if (!(reason instanceof RunStop) || reason.kind !== "step-timeout") return reason;
  const seconds = step.base.timeoutSeconds ?? defaultTimeoutSeconds;
  return new StepError("upstream-timeout", `The step did not finish within ${seconds} s.`);
}

function evaluate(run: Run, value: unknown, endsAt: number): Promise<Json> {
  const { flow, options, state, stop } = run;
  if (!flow.templates.holdsTemplate(value)) return evaluateDeep(value, state.scope);
  return run.inTurn(async () => {
    stop.signal.throwIfAborted();
    const { clock } = options.deps;
    const { maxResultBytes } = options.limits ?? {};
    const { book } = state;
    const settings = { book, clock, ...(maxResultBytes === undefined ? {} : { maxResultBytes }) };
    const result = await evaluateDeep(value, state.scope, settings, flow.templates.find);
    // Evaluation keeps timers from firing, so the time is looked at here.
    if (clock() > options.deadline) stop.abort(new RunStop("deadline"));
    stop.signal.throwIfAborted();
    if (clock() > endsAt)
      throw new StepError("execution-failed", "The step's expressions take too long.");
    return result;
  });
}

type TimeLimit = {
  readonly signal: AbortSignal;
  race<Result>(work: Promise<Result>): Promise<Result>;
  release(): void;
};

/** Steps that wait for nothing but expressions need no timer: each expression is bounded. */
function limitTime(run: Run, step: StepPlan, timeoutMs: number): TimeLimit {
  if (!step.waits) {
    return { signal: run.stop.signal, race: (work) => work, release: () => {} };
  }
  const attempt = new AbortController();
  const timer = new AbortController();
  const runStopped = () => attempt.abort(run.stop.signal.reason);
  if (run.stop.signal.aborted) runStopped();
  else run.stop.signal.addEventListener("abort", runStopped, { once: true });
  const sleep = run.options.deps.sleep ?? waitWithTimer;
  const timeUp = () => {
    if (!timer.signal.aborted) attempt.abort(new RunStop("step-timeout"));
  };
  sleep(timeoutMs, timer.signal).then(timeUp, timeUp);
  const { aborted, release } = whenAborted(attempt.signal);
  return {
    signal: attempt.signal,
    race: (work) => Promise.race([work, aborted]),
    release() {
      timer.abort();
      release();
      run.stop.signal.removeEventListener("abort", runStopped);
    },
  };
}
