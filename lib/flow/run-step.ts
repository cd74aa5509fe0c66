import { describeFailure } from "./describe-failure.ts";
import { emit } from "./emit.ts";
import type { FlowError, Span } from "./flow-result.ts";
import { type Run, runAttempt } from "./run-attempt.ts";
import { RunStop } from "./run-stop.ts";
import type { StepNotes, StepPlan, StepResult } from "./step-type.ts";
import { waitWithTimer } from "./wait.ts";

/** A step's end after all its attempts. */
export type StepEnd =
  | { readonly status: "done"; readonly result: StepResult; readonly spans: readonly Span[] }
  | { readonly status: "failed"; readonly error: FlowError; readonly spans: readonly Span[] }
  | { readonly status: "stopped"; readonly spans: readonly Span[] };

/**
 * Runs a step, again and again as far as its `retry` allows. `countRun` throws when the flow
 * has no runs left. Never rejects.
 */
export async function runStep(run: Run, step: StepPlan, countRun: () => void): Promise<StepEnd> {
  const spans: Span[] = [];
  const { id, retry } = step.base;
  const maxAttempts = retry?.maxAttempts ?? 1;
  for (let attempt = 1; ; attempt += 1) {
    const end = await tryOnce(run, step, attempt, countRun);
    spans.push(end.span);
    if (end.status === "done") return { status: "done", result: end.result, spans };
    if (end.status === "stopped") return { status: "stopped", spans };
    const { error } = end;
    const willRetry =
      attempt < maxAttempts && retry?.on.includes(error.slug) === true && end.repeatable;
    emit(run, { type: "step.failed", stepId: id, error, willRetry });
    if (!willRetry) return { status: "failed", error, spans };
    await pause(run, (retry?.backoffSeconds ?? 0) * 1_000 * 2 ** (attempt - 1));
    if (run.stop.signal.aborted) return { status: "stopped", spans };
  }
}

type Try =
  | { readonly status: "done"; readonly result: StepResult; readonly span: Span }
  | {
      readonly status: "failed";
      readonly error: FlowError;
      readonly repeatable: boolean;
      readonly span: Span;
    }
  | { readonly status: "stopped"; readonly span: Span };

async function tryOnce(
  run: Run,
  step: StepPlan,
  attempt: number,
  countRun: () => void,
): Promise<Try> {
  const startTime = run.options.deps.clock();
  const notes: StepNotes = {};
  let counted = false;
  const span = (end: Partial<Span>): Span => ({
    ...blankSpan(step, startTime, attempt),
    input: notes.input ?? null,
    usage: notes.usage ?? null,
    modelId: notes.modelId ?? null,
    providerId: notes.providerId ?? null,
    endTime: run.options.deps.clock(),
    ...end,
  });
  try {
    countRun();
    counted = true;
    emit(run, { type: "step.started", stepId: step.base.id, attempt });
    const result = await runAttempt(run, step, notes);
    run.stop.signal.throwIfAborted();
    run.state.add(step.base.id, result.output);
    return { status: "done", result, span: span({ status: "Succeeded", output: result.output }) };
  } catch (error) {
    if (run.stop.signal.aborted || error instanceof RunStop) {
      return { status: "stopped", span: span({ status: "Cancelled" }) };
    }
    const described = describeFailure(error, step.base.id);
    const failed = span({ status: "Failed", error: described });
    return { status: "failed", error: described, repeatable: counted, span: failed };
  }
}

/** A span in which nothing has happened yet. */
export function blankSpan(step: StepPlan, time: number, attempt = 1): Span {
  const { id, name } = step.base;
  return {
    id: attempt === 1 ? id : `${id}#${attempt}`,
    parentId: null,
    stepId: id,
    name: name ?? id,
    type: step.type,
    startTime: time,
    endTime: time,
    status: "Skipped",
    input: null,
    output: null,
    error: null,
    usage: null,
    modelId: null,
    providerId: null,
  };
}

async function pause(run: Run, ms: number): Promise<void> {
  if (ms === 0) return;
  const sleep = run.options.deps.sleep ?? waitWithTimer;
  await sleep(ms, run.stop.signal).catch(() => {});
}
