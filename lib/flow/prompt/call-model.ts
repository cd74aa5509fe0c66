import type {
  GenerateRequest,
  GenerateResult,
  ModelMessage,
  TokenCounts,
} from "../../models/model.ts";
import type { StepContext } from "../step-context.ts";
import { modelCallType } from "../sum-usage.ts";
import type { ChosenModel } from "./choose-model.ts";

/** What a model is asked beside its settings. */
export type Question = Pick<GenerateRequest, "system" | "messages" | "tools" | "outputSchema">;

/** Asks a model for one turn, within the budget; the call has a span with its usage and cost. */
export async function callModel(
  { provider, providerId, model, parameters }: ChosenModel,
  question: Question,
  context: StepContext,
): Promise<GenerateResult> {
  const { signal, delta } = context;
  const release = await context.reserve(async () => {
    const { cost } = await provider.price(model, estimate(question, parameters.maxOutputTokens));
    return cost.totalCost;
  });
  signal.throwIfAborted();
  const { messages, tools = [] } = question;
  const input = { messages: messages.length, tools: tools.map(({ name }) => name) };
  const span = context.begin({
    type: modelCallType,
    name: model,
    input,
    providerId,
    modelId: model,
  });
  try {
    const request = { ...question, model, parameters, signal, onDelta: delta };
    const result = await provider.generate(request);
    const { message, usage, finishReason } = result;
    const { cost, priced } = await provider.price(model, usage);
    const toolCalls = message.toolCalls.map((call) => ({
      name: call.name,
      arguments: call.arguments,
    }));
    span.close({ output: { text: message.text, toolCalls, finishReason }, usage, cost, priced });
    return result;
  } catch (error) {
    if (!signal.aborted) span.close({ error });
    throw error;
  } finally {
    release();
  }
}

const bytesPerToken = 4;
const defaultOutputTokens = 1_024;

/** About how many tokens a call will use. */
function estimate({ messages, ...rest }: Question, maxOutputTokens: unknown): TokenCounts {
  const text = JSON.stringify({ ...rest, messages: messages.map(withoutRaw) });
  return {
    inputTokens: Math.ceil(Buffer.byteLength(text) / bytesPerToken),
    outputTokens: typeof maxOutputTokens === "number" ? maxOutputTokens : defaultOutputTokens,
    cachedTokens: 0,
    thinkingTokens: 0,
  };
}

/** A provider's own form of a message says the same once more. */
function withoutRaw(message: ModelMessage): ModelMessage {
  return message.role === "assistant" ? { ...message, raw: undefined } : message;
}
