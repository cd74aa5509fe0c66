import { emptySpan } from "../../engine/flow/child-spans.ts";
import type { FlowError, FlowResult, Span } from "../../engine/flow/flow-result.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import { type Guard, maskText } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict, GuardedPlace } from "../../engine/guardrails/schemas.ts";

type Guarding = {
  readonly guard: Guard;
  /** Of the checks of its input. */
  readonly inputVerdicts: readonly CheckVerdict[];
  readonly startTime: number;
  readonly clock: () => number;
};

/**
 * Checks the output of a run, and shows the verdicts in its trace. What checks mask is masked in all spans; once a check has
 * blocked, no span shows inputs or outputs.
 */
export const guardResult = async <Result extends FlowResult>(
  result: Result,
  { guard, inputVerdicts, startTime, clock }: Guarding,
): Promise<Result | (Result & { status: "Failed" })> => {
  const before = clock();
  const isChecked = result.status === "Succeeded" && guard.has("output");
  const checked = isChecked ? await guard.check("output", result.output) : undefined;
  const inputSpan = createSpan("input", inputVerdicts, { start: startTime, end: startTime });
  const outputSpan = createSpan("output", checked?.verdicts ?? [], { start: before, end: clock() });
  const blocked = checked?.blocked;
  const error: FlowError | undefined = blocked && {
    slug: "guardrail-blocked",
    detail: blockedDetail("output", blocked),
    step: null,
    blocked,
  };
  const hasBlocked = error !== undefined || result.error?.slug === "guardrail-blocked";
  const hide = hasBlocked || result.spans.some(isBlocked) ? withoutContent : maskSpan(guard);
  const spans = [
    ...(inputVerdicts.length > 0 ? [inputSpan] : []),
    ...result.spans.map(hide),
    ...(checked ? [outputSpan] : []),
  ];
  if (error) return { ...result, spans, status: "Failed", output: null, error };
  return {
    ...result,
    spans,
    output: checked ? checked.value : result.output,
    error: result.error && { ...result.error, detail: maskText(guard, result.error.detail) },
  };
};

const isBlocked = ({ error }: Span): boolean => error?.slug === "guardrail-blocked";

const createSpan = (
  place: GuardedPlace,
  verdicts: readonly CheckVerdict[],
  { start, end }: { start: number; end: number },
): Span => ({
  ...emptySpan,
  // No step id starts with it.
  id: `~${place}`,
  parentId: null,
  stepId: `~${place}`,
  name: place,
  type: "Guardrail",
  startTime: start,
  endTime: end,
  status: "Succeeded",
  input: { on: place },
  output: { verdicts: verdicts.map((verdict) => ({ ...verdict })) },
});

const withoutContent = ({ citations: _citations, ...span }: Span): Span => {
  if (span.type === "Guardrail") return span;
  const detail = isBlocked(span) ? span.error?.detail : "A guardrail blocked the execution.";
  return {
    ...span,
    input: null,
    output: null,
    error: span.error && { ...span.error, detail: detail ?? "" },
  };
};

const maskSpan =
  (guard: Guard) =>
  (span: Span): Span => {
    if (span.type === "Guardrail") return span;
    const { citations } = span;
    const { mask } = guard;
    return {
      ...span,
      input: mask(span.input),
      output: mask(span.output),
      error: span.error && { ...span.error, detail: maskText(guard, span.error.detail) },
      ...(citations && {
        citations: citations.map((citation) => ({
          ...citation,
          text: maskText(guard, citation.text),
          documentName: maskText(guard, citation.documentName),
        })),
      }),
    };
  };
