import type { Json, JsonObject } from "../../values/json/json.ts";
import { describeFailure } from "./describe-failure.ts";
import { evaluateInRun } from "./evaluate-in-run.ts";
import type { FlowError, Span } from "./flow-result.ts";
import type { Address, Run } from "./run.ts";
import type { Failure, SpannedResult } from "./spanned-result.ts";
import type { StepFailure, StepPlan } from "./step-type.ts";

/** Handling of a step's failure: by its edges, or with a value. */
type Handling = { readonly by: "edge" } | { readonly by: "value"; readonly value: unknown };

/** Returns how the failure of a step is handled; undefined if it ends the flow. */
export const findHandling = (
  { flow }: Run,
  { base }: StepPlan,
  { parentId }: Address,
): Handling | undefined => {
  if (base.onError) return { by: "value", value: base.onError.value };
  // The step inside a ForEach has no edges.
  if (parentId !== null) return undefined;
  const place = flow.steps.findIndex((step) => step.base.id === base.id);
  return (flow.graph.onError[place] ?? []).length > 0 ? { by: "edge" } : undefined;
};

/** Handles the failure of a step's last attempt; its span shows that. */
export const handleFailure = async (
  run: Run,
  step: StepPlan,
  failed: {
    readonly address: Address;
    readonly end: Failure & { readonly spans: readonly Span[] };
    readonly handling: Handling;
  },
): Promise<SpannedResult> => {
  const { address, end, handling } = failed;
  const { stepId } = address;
  const spans = markHandled(end.spans, address);
  const error = toStepFailure(end.error);
  try {
    run.state.addError(stepId, error);
    if (handling.by === "edge") return { ...end, spans, handled: error };
    const endsAt = run.options.deps.clock() + step.timeoutSeconds * 1_000;
    const selected = await evaluateInRun(run, handling.value, endsAt, { error });
    if (selected !== undefined) run.state.add(stepId, selected);
    const output: Json = selected ?? null;
    const isNothing = selected === undefined ? ({ isNothing: true } as const) : {};
    return { status: "done", result: { output, ...isNothing, error }, spans };
  } catch (cause) {
    if (run.signal.aborted) return { status: "stopped", spans: end.spans };
    const described = describeFailure(cause, stepId);
    const own = { ...described, detail: `onError: ${described.detail}` };
    return { ...end, error: own, isFatal: false };
  }
};

/** Maps a failure to what expressions read as `steps.X.error`. */
const toStepFailure = (error: FlowError): StepFailure & JsonObject => ({
  slug: error.slug,
  detail: error.detail,
  upstream: error.upstream ?? null,
  upstreamStatus: error.upstreamStatus ?? null,
});

const markHandled = (spans: readonly Span[], { stepId, parentId }: Address): readonly Span[] => {
  const last = spans.findLastIndex(
    (span) => span.stepId === stepId && span.parentId === parentId && span.status === "Failed",
  );
  return spans.map((span, at) => (at === last ? { ...span, handled: true } : span));
};
