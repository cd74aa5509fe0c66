import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { GenerateResult, PricedTokens } from "../../models/model.ts";
import { toCounts } from "../../models/sums.ts";
import type { StepContext } from "../step-context.ts";
import { modelCallType } from "../sum-usage.ts";
import type { ChosenModel } from "./choose-model.ts";
import { bytesPerToken, estimateCall, estimateTokens, type Question } from "./estimate-call.ts";

/**
 * Asks a model for one turn, within the budget; the call has a span with usage and cost. Both are estimated
 * for a sent call that returned no usage because it was aborted or disconnected.
 * @param name of its span; default: the model
 */
export const callModel = async (
  chosen: ChosenModel,
  question: Question,
  context: StepContext,
  name = chosen.model,
): Promise<GenerateResult> => {
  const { provider, providerId, model, parameters } = chosen;
  const { signal, delta } = context;
  const release = await context.reserve(() => estimateCall(chosen, question));
  signal.throwIfAborted();
  const { messages, tools = [] } = question;
  const input = { messages: messages.length, tools: tools.map(({ name }) => name) };
  let streamedBytes = 0;
  let known: PricedTokens | undefined;
  const used = async () => {
    const outputTokens = Math.ceil(streamedBytes / bytesPerToken);
    const usage = known ?? { ...estimateTokens(question, undefined), outputTokens };
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
    const request = { ...question, model, parameters, signal, onDelta };
    const result = await provider.generate(request);
    const { message, usage, finishReason, responseModelId } = result;
    known = usage;
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
    if (signal.aborted) throw error;
    const hasUsed = known !== undefined || streamedBytes > 0 || reachedService(error);
    span.close({ error, ...(hasUsed && (await used().catch(() => undefined))) });
    throw error;
  } finally {
    release();
  }
};

/** Returns whether a call without usage reached the service: not when it was refused or unreachable. */
const reachedService = (error: unknown): boolean => {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== undefined) return false;
  return !(error.cause instanceof OutgoingError) || error.cause.kind === "too-large";
};
