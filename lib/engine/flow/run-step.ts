import type { Json } from "../../values/json/json.ts";
import { withResponse } from "../tools/failing-response.ts";
import { waitWithTimer } from "../wait.ts";
import { ChildSpans, emptySpan } from "./child-spans.ts";
import { describeFailure } from "./describe-failure.ts";
import { emit } from "./emit.ts";
import type { FlowError, Span } from "./flow-result.ts";
import type { Address, Run } from "./run.ts";
import { runAttempt } from "./run-attempt.ts";
import { keepsFinished, RunStop } from "./run-stop.ts";
import type { StepNotes } from "./step-context.ts";
import type { StepPlan, StepResult } from "./step-type.ts";

type Failure = {
  readonly status: "failed";
  readonly error: FlowError;
  /** Neither a retry nor other items can succeed. */
  readonly isFatal: boolean;
};

type End =
  | { readonly status: "done"; readonly result: StepResult }
  | Failure
  | { readonly status: "stopped" }
  /** It runs again when a wait has ended. */
  | { readonly status: "waiting" };

/** The outcome of a step after all its attempts. */
export type SpannedResult = End & { readonly spans: readonly Span[] };

/**
 * Runs a step, with the retries that it allows. Never rejects.
 *
 * The engine's one recursion, and its one circle of imports: a step runs attempts (`run-attempt.ts`), an attempt
 * of a ForEach runs items (`run-items.ts`), and each item runs its inner step here. `read-step.ts` bounds the depth.
 */
export const runStep = async (
  run: Run,
  step: StepPlan,
  address: Address,
): Promise<SpannedResult> => {
  const spans: Span[] = [];
  const { retry } = step.base;
  const maxAttempts = retry?.maxAttempts ?? 1;
  for (let attempt = 1; ; attempt += 1) {
    const end = await tryOnce(run, step, address, { attempt, spans });
    if (end.status !== "failed") return { ...end, spans };
    const { error, isFatal } = end;
    const isListed = retry?.on.some((slug) => slug === error.slug) === true;
    const willRetry = attempt < maxAttempts && isListed && !isFatal;
    emit(run, { type: "step.failed", stepId: address.stepId, error, willRetry });
    if (!willRetry) return { ...end, spans };
    await pause(run, (retry?.backoffSeconds ?? 0) * 1_000 * 2 ** (attempt - 1));
    if (run.signal.aborted) return { status: "stopped", spans };
  }
};

const tryOnce = async (
  run: Run,
  step: StepPlan,
  address: Address,
  { attempt, spans }: { attempt: number; spans: Span[] },
): Promise<End> => {
  const { stepId, index } = address;
  const { clock } = run.options.deps;
  const blank = blankSpan(step, address, clock(), attempt);
  const spanId = blank.id;
  const notes: StepNotes = {};
  let children: ChildSpans | undefined;
  const below = () => {
    children ??= new ChildSpans(run, { stepId, spanId, ...(index !== undefined && { index }) });
    return children;
  };
  const close = async (status: Span["status"], output: Json, error: FlowError | null) => {
    await children?.countCut();
    const endTime = clock();
    const { input = null, modelId = null, providerId = null, tool, citations, startTime } = notes;
    const sum = children?.sum();
    const more = {
      ...(tool !== undefined && { tool }),
      ...(citations && { citations }),
      ...(startTime !== undefined && { startTime }),
    };
    const noted = { ...blank, input, modelId, providerId, ...more };
    spans.push(run.ledger.trace.fit({ ...noted, endTime, status, output, error, ...sum }));
    if (children) spans.push(...children.end(endTime));
  };
  let isFatal = true;
  try {
    run.ledger.countRun();
    emit(run, { type: "step.started", stepId, attempt });
    isFatal = false;
    const result = await runAttempt(run, step, { stepId, spanId, notes, below });
    isFatal = true;
    if (!keepsFinished(run.signal)) run.signal.throwIfAborted();
    if (!result.isNothing) run.state.add(stepId, result.output);
    await close("Succeeded", result.output, null);
    return { status: "done", result };
  } catch (error) {
    if (!run.signal.aborted && error instanceof RunStop && error.kind === "waiting") {
      return { status: "waiting" };
    }
    if (run.signal.aborted || error instanceof RunStop) {
      await close("Cancelled", null, null);
      return { status: "stopped" };
    }
    const described = describeFailure(error, stepId);
    const detail = withResponse(described.detail, error);
    await close("Failed", null, { ...described, detail });
    isFatal ||= described.slug === "budget-exceeded";
    return { status: "failed", error: described, isFatal };
  }
};

/** Creates a span without results. */
export const blankSpan = (
  { base, type }: StepPlan,
  { stepId, spanId, parentId, index }: Address,
  time: number,
  attempt = 1,
): Span => ({
  ...emptySpan,
  id: attempt === 1 ? spanId : `${spanId}#${attempt}`,
  parentId,
  stepId,
  name: base.name ?? base.id,
  type,
  startTime: time,
  endTime: time,
  status: "Skipped",
  ...(index !== undefined && { index }),
});

const pause = async (run: Run, ms: number): Promise<void> => {
  if (ms === 0) return;
  const sleep = run.options.deps.sleep ?? waitWithTimer;
  await sleep(ms, run.signal).catch(() => {});
};
