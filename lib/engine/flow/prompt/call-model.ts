import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { FileParts, GenerateResult, PricedTokens } from "../../models/model.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import { refusalFailure } from "../../models/provider-failure.ts";
import { toCounts } from "../../models/sums.ts";
import type { StepContext } from "../step-context.ts";
import { modelCallType } from "../sum-usage.ts";
import type { ChosenModel } from "./choose-model.ts";
import { bytesPerToken, estimateTokens, type Question } from "./estimate-call.ts";

/** Options of one call. */
export type ModelCallOptions = {
  /** Name of its span; default: the model. */
  readonly name?: string;
  /** Default: the signal of the attempt, which it must follow. */
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
  readonly isImpatient?: boolean;
  /** The files of the messages. */
  readonly fileParts?: FileParts | undefined;
};

/**
 * Calls a model once; the call has a span with usage and cost. Both are estimated for a sent call that returned no usage
 * because it was aborted or disconnected. Throws a ModelFailure for a response that the service's filter ended.
 */
export const callModel = async (
  { provider, providerId, model, parameters }: ChosenModel,
  question: Question,
  context: Pick<StepContext, "delta" | "openSpan" | "signal">,
  {
    name = model,
    signal = context.signal,
    onProgress,
    isImpatient = false,
    fileParts,
  }: ModelCallOptions = {},
): Promise<GenerateResult> => {
  const { delta } = context;
  const { messages, tools = [] } = question;
  const input = { messages: messages.length, tools: tools.map(({ name }) => name) };
  let streamedBytes = 0;
  let known: PricedTokens | undefined;
  const used = async () => {
    const outputTokens = Math.ceil(streamedBytes / bytesPerToken);
    const usage = known ?? {
      ...estimateTokens(question, undefined, { provider, model }),
      outputTokens,
    };
    return { usage: toCounts(usage), ...(await provider.price(model, usage)) };
  };
  const span = context.openSpan(
    { type: modelCallType, name, input, providerId, modelId: model },
    used,
  );
  const onDelta = (text: string) => {
    streamedBytes += Buffer.byteLength(text);
    delta(text);
  };
  try {
    const watched = onProgress && { onProgress };
    const sent = { ...question, ...(fileParts && { fileParts }) };
    const request = { ...sent, model, parameters, signal, onDelta, ...watched, isImpatient };
    const result = await provider.generate(request);
    const { message, usage, finishReason, responseModelId } = result;
    known = usage;
    if (finishReason === "content-filter") throw refusalFailure(providerId);
    const { cost, priced } = await provider.price(model, usage);
    const toolCalls = message.toolCalls.map((call) => ({
      name: call.name,
      arguments: call.arguments,
    }));
    const output = { text: message.text, toolCalls, finishReason };
    const response = { finishReason, ...(responseModelId !== undefined && { responseModelId }) };
    span.close({ output, usage: toCounts(usage), cost, priced, ...response });
    return result;
  } catch (error) {
    if (context.signal.aborted) throw error;
    const hasUsed = known !== undefined || streamedBytes > 0 || reachedService(error);
    span.close({ error, ...(hasUsed && (await used().catch(() => undefined))) });
    throw error;
  }
};

/** Returns whether a call without usage reached the service: not when it was refused or unreachable. */
const reachedService = (error: unknown): boolean => {
  if (error instanceof ModelFailure) return error.wasAccepted;
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== undefined) return false;
  return !(error.cause instanceof OutgoingError) || error.cause.kind === "too-large";
};
