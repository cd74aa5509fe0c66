import { waitWithTimer } from "../../platform/runtime/wait.ts";
import type { Json } from "../../values/json/json.ts";
import { ModelFailure, maxRestMs } from "../models/model-failure.ts";
import { withResponse } from "../tools/failing-response.ts";
import { ChildSpans, emptySpan } from "./child-spans.ts";
import { describeFailure } from "./describe-failure.ts";
import { emit } from "./emit.ts";
import type { FlowError, Span } from "./flow-result.ts";
import { findHandling, handleFailure } from "./handle-failure.ts";
import type { Address, Run } from "./run.ts";
import { runAttempt } from "./run-attempt.ts";
import { keepsFinished, RunStop } from "./run-stop.ts";
import type { SpannedResult } from "./spanned-result.ts";
import type { StepNotes } from "./step-context.ts";
import type { StepPlan } from "./step-type.ts";
import type { Suspended } from "./suspensions.ts";

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
  const suspended = run.suspensions.take(address.stepId);
  const spans = suspended ? suspended.spans.slice(0, suspended.earlierSpans) : [];
  const first = suspended?.attempt ?? 1;
  const { retry } = step.base;
  const maxAttempts = retry?.maxAttempts ?? 1;
  const { clock } = run.options.deps;
  for (let attempt = first; ; attempt += 1) {
    const resumed = attempt === first ? suspended : undefined;
    const end = await tryOnce(run, step, address, { attempt, spans, resumed });
    if (end.status !== "failed") return end;
    const { error, isFatal, retryAfterMs } = end;
    const isListed = retry?.on.some((slug) => slug === error.slug) === true;
    const isInVain = retryAfterMs > Math.min(maxRestMs, run.options.deadline - clock());
    const willRetry = attempt < maxAttempts && isListed && !isFatal && !isInVain;
    const handling = willRetry || isFatal ? undefined : findHandling(run, step, address);
    const handled = handling !== undefined;
    emit(run, { type: "step.failed", stepId: address.stepId, error, willRetry, handled });
    if (!willRetry) return handling ? handleFailure(run, step, { address, end, handling }) : end;
    const backoffMs = (retry?.backoffSeconds ?? 0) * 1_000 * 2 ** (attempt - 1);
    await pause(run, Math.max(backoffMs, retryAfterMs));
    if (run.signal.aborted) return { status: "stopped", spans };
  }
};

const tryOnce = async (
  run: Run,
  step: StepPlan,
  address: Address,
  { attempt, spans, resumed }: { attempt: number; spans: Span[]; resumed: Suspended | undefined },
): Promise<SpannedResult> => {
  const { stepId, index } = address;
  const { clock } = run.options.deps;
  const blank = {
    ...blankSpan(step, address, clock(), attempt),
    ...(resumed && { id: resumed.spanId, startTime: resumed.startTime }),
  };
  const spanId = blank.id;
  const notes: StepNotes = { ...resumed?.notes };
  let state: Json | undefined;
  let children: ChildSpans | undefined;
  const below = () => {
    const above = { stepId, spanId, ...(index !== undefined && { index }) };
    children ??= new ChildSpans(run, above, resumed?.spans.slice(resumed.earlierSpans + 1));
    return children;
  };
  if (resumed) below();
  const buildSpan = (end: Pick<Span, "endTime" | "status" | "output" | "error">): Span => {
    const { input = null, modelId = null, providerId = null, startTime } = notes;
    const { servedBy, tool, citations } = notes;
    const sum = children?.sum();
    const more = {
      ...(servedBy && { servedBy }),
      ...(tool !== undefined && { tool }),
      ...(citations && { citations }),
      ...(startTime !== undefined && { startTime }),
    };
    const noted = { ...blank, input, modelId, providerId, ...more };
    return run.ledger.trace.fit({ ...noted, ...end, ...sum });
  };
  const close = async (status: Span["status"], output: Json, error: FlowError | null) => {
    await children?.countCut();
    const endTime = clock();
    spans.push(buildSpan({ endTime, status, output, error }));
    if (children) spans.push(...children.end(endTime));
  };
  let isFatal = true;
  try {
    run.ledger.countRun();
    if (!resumed) {
      if (run.ledger.streaming.delete(stepId)) emit(run, { type: "output.reset", stepId });
      emit(run, { type: "step.started", stepId, attempt });
    }
    isFatal = false;
    const keep = (kept: Json) => {
      state = kept;
    };
    const held = { stepId, spanId, notes, resumed: resumed?.state, keep, below };
    const result = await runAttempt(run, step, held);
    isFatal = true;
    if (!keepsFinished(run.signal)) run.signal.throwIfAborted();
    if (!result.isNothing) run.state.add(stepId, result.output);
    run.ledger.streaming.delete(stepId);
    await close("Succeeded", result.output, null);
    return { status: "done", result, spans };
  } catch (error) {
    if (!run.signal.aborted && error instanceof RunStop && error.kind === "waiting") {
      if (state !== undefined) {
        const earlier = spans.splice(0);
        const own = { endTime: clock(), status: "Cancelled", output: null, error: null } as const;
        run.suspensions.put({
          stepId,
          spanId,
          attempt,
          startTime: blank.startTime,
          count: (resumed?.count ?? 0) + 1,
          earlierSpans: earlier.length,
          notes,
          state,
          spans: [...earlier, buildSpan(own), ...(children?.suspend() ?? [])],
        });
      }
      return { status: "waiting", spans };
    }
    if (run.signal.aborted || error instanceof RunStop) {
      await close("Cancelled", null, null);
      return { status: "stopped", spans };
    }
    const described = describeFailure(error, stepId);
    const detail = withResponse(described.detail, error);
    await close("Failed", null, { ...described, detail });
    const retryAfterMs = (error instanceof ModelFailure && error.retryAfterMs) || 0;
    isFatal ||= described.slug === "budget-exceeded";
    return { status: "failed", error: described, isFatal, retryAfterMs, spans };
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
