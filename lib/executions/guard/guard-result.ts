import type { RunServices } from "../../engine/flow/checks/run-services.ts";
import { hideContent } from "../../engine/flow/child-spans.ts";
import type { FlowError, FlowResult, Span } from "../../engine/flow/flow-result.ts";
import { sumUsage } from "../../engine/flow/sum-usage.ts";
import type { CheckedValue } from "../../engine/guardrails/apply-checks.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import { type Guard, maskText } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { StepError } from "../../engine/step-error.ts";
import { createGuardSpan } from "./guard-span.ts";

/** Span of the checks of an output. */
export const outputSpanId = "~output";

type Guarding = {
  readonly guard: Guard;
  readonly services: RunServices;
  /** Of the checks of its input. */
  readonly inputVerdicts: readonly CheckVerdict[];
  readonly startTime: number;
  readonly clock: () => number;
};

/**
 * Checks the output of a run, and shows the verdicts in its trace. What checks mask is masked in all spans; once a check has
 * blocked, no span shows inputs or outputs. Rejects when storage fails.
 */
export const guardResult = async <Result extends FlowResult>(
  result: Result,
  { guard, services, inputVerdicts, startTime, clock }: Guarding,
): Promise<Result | (Result & { status: "Failed" })> => {
  const before = clock();
  const isChecked = result.status === "Succeeded" && guard.has("output");
  const { checked, error } = isChecked ? await checkOutput(result, { guard, services }) : {};
  const models = await services.end();
  const inputTimes = { start: startTime, end: startTime };
  const inputSpan = createGuardSpan("~input", "input", { verdicts: inputVerdicts, ...inputTimes });
  const verdicts = checked?.verdicts ?? [];
  const outputTimes = { start: before, end: clock() };
  const outputSpan = createGuardSpan(outputSpanId, "output", { verdicts, ...outputTimes });
  const hasBlocked = [error, result.error].some((one) => one?.slug === "guardrail-blocked");
  const hide = hasBlocked || result.spans.some(isBlocked) ? withoutContent : maskSpan(guard);
  const spans = [
    ...(inputVerdicts.length > 0 ? [inputSpan] : []),
    ...result.spans.map(hide),
    ...(isChecked ? [outputSpan] : []),
    ...models,
  ];
  const usage = models.length === 0 ? result.usage : sumUsage(spans);
  if (error) return { ...result, spans, usage, status: "Failed", output: null, error };
  return {
    ...result,
    spans,
    usage,
    output: checked ? checked.value : result.output,
    error: result.error && { ...result.error, detail: maskText(guard, result.error.detail) },
  };
};

type CheckedOutput = { checked?: CheckedValue; error?: FlowError };

const checkOutput = async (
  { output }: Pick<FlowResult, "output">,
  { guard, services: { ask } }: Pick<Guarding, "guard" | "services">,
): Promise<CheckedOutput> => {
  try {
    const checked = await guard.check("output", output, { ask });
    const { blocked } = checked;
    if (!blocked) return { checked };
    const detail = blockedDetail("output", blocked);
    return { checked, error: { slug: "guardrail-blocked", detail, step: null, blocked } };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { error: { slug: error.slug, detail: error.message, step: null } };
  }
};

const isBlocked = ({ error }: Span): boolean => error?.slug === "guardrail-blocked";

const withoutContent = (span: Span): Span =>
  hideContent(
    span,
    (isBlocked(span) ? span.error?.detail : "A guardrail blocked the execution.") ?? "",
  );

/** Returns a function that masks in a span what checks mask. */
export const maskSpan =
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
