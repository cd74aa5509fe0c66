import { isDeepStrictEqual } from "node:util";
import type { RunServices } from "../../engine/flow/checks/run-services.ts";
import { emptySpan, hideContent } from "../../engine/flow/child-spans.ts";
import type { FlowError, FlowEvent, FlowResult, Span } from "../../engine/flow/flow-result.ts";
import { sumUsage } from "../../engine/flow/sum-usage.ts";
import type { CheckedValue } from "../../engine/guardrails/apply-checks.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import { type Guard, maskText } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict, GuardedPlace } from "../../engine/guardrails/schemas.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { StepError } from "../../engine/step-error.ts";

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

/** Creates the span of the checks of an execution's input or output. No step id starts with `~`. */
export const createGuardSpan = (
  id: `~${string}`,
  place: GuardedPlace,
  { verdicts, start, end }: { verdicts: readonly CheckVerdict[]; start: number; end: number },
): Span => ({
  ...emptySpan,
  id,
  parentId: null,
  stepId: id,
  name: place,
  type: "Guardrail",
  startTime: start,
  endTime: end,
  status: "Succeeded",
  input: { on: place },
  output: { verdicts: verdicts.map((verdict) => ({ ...verdict })) },
});

/** Masks in messages of a conversation with a model what checks mask. */
export const guardMessages = (
  messages: readonly ModelMessage[],
  guard: Guard,
): readonly ModelMessage[] => messages.map((message) => maskMessage(message, guard));

const maskMessage = (message: ModelMessage, guard: Guard): ModelMessage => {
  const { mask } = guard;
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(guard, message.text) };
    case "assistant": {
      const { role, text, toolCalls } = message;
      const masked = toolCalls.map((call) => ({ ...call, arguments: mask(call.arguments) }));
      return { role, text: maskText(guard, text), toolCalls: masked };
    }
    case "tool": {
      const { role, results } = message;
      return { role, results: results.map((one) => ({ ...one, output: mask(one.output) })) };
    }
  }
};

type Send = (event: FlowEvent) => void;

/** Events that are sent when the checks of a run have passed. */
type HeldEvents = {
  readonly emit: Send;
  /** Sends them, unless a check masks something in them. */
  release(): void;
};

/** Events that are held back; a run with more sends none of them. */
const maxHeld = 10_000;

/**
 * Holds the events of a run back while checks may block or mask what they show: a check sees an output as a whole. Without such
 * checks they are sent immediately.
 */
export const holdEvents = (guard: Guard, send: Send): HeldEvents => {
  const places = ["output", "toolArguments", "toolResult", "retrieval"] as const;
  if (!places.some((place) => guard.has(place))) return { emit: send, release: () => {} };
  const held: FlowEvent[] = [];
  return {
    emit: (event) => {
      if (held.length <= maxHeld) held.push(event);
    },
    release: () => {
      const shown = listShown(held);
      if (held.length > maxHeld || !isDeepStrictEqual(guard.mask(shown), shown)) return;
      for (const event of held.splice(0)) send(event);
    },
  };
};

/** Lists the values that events show; the parts of a text are one. */
const listShown = (events: readonly FlowEvent[]) => {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "output.delta") continue;
    texts.set(event.stepId, (texts.get(event.stepId) ?? "") + event.text);
  }
  const others = events.flatMap((event) => {
    if (event.type === "step.completed") return [event.output];
    return event.type === "step.failed" ? [event.error.detail] : [];
  });
  return [...texts.values(), ...others];
};
