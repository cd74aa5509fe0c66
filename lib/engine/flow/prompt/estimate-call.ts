import { isRecord, type JsonObject } from "../../../values/json/json.ts";
import type {
  GenerateRequest,
  ModelMessage,
  ModelProvider,
  PricedTokens,
  TokenCounts,
} from "../../models/model.ts";
import type { Estimate } from "../spend-guard.ts";

/** The request to a model without its settings. */
export type Question = Pick<GenerateRequest, "system" | "messages" | "tools" | "outputSchema">;

/** The model of a call and its settings. */
export type CalledModel = {
  readonly provider: Pick<ModelProvider, "price">;
  readonly providerId: string;
  readonly model: string;
  readonly parameters: JsonObject;
};

/** Bytes of UTF-8 of a token, about. */
export const bytesPerToken = 4;
const defaultOutputTokens = 1_024;
/** Services describe the use of tools to the model in texts of their own. */
const toolUseTokens = 1_024;

/** Estimates the cost of a call, and bounds it. */
export const estimateCall = async (
  { provider, providerId, model, parameters }: CalledModel,
  question: Question,
): Promise<Estimate> => {
  const tokens = estimateTokens(question, parameters.maxOutputTokens);
  const { cost, priced } = await provider.price(model, tokens);
  const bound = await provider.price(model, boundTokens(question, parameters, tokens));
  const { inputCost, outputCost, thinkingCost } = bound.cost;
  const most = Math.max(cost.totalCost, inputCost + Math.max(outputCost, thinkingCost));
  return {
    dollars: cost.totalCost,
    most,
    ...(!priced && { unpriced: `${providerId}/${model}` }),
  };
};

/** Estimates the tokens of a call. */
export const estimateTokens = (
  { messages, ...rest }: Question,
  maxOutputTokens: unknown,
): TokenCounts => {
  const text = JSON.stringify({ ...rest, messages: messages.map(withoutRaw) });
  return {
    inputTokens: Math.ceil(Buffer.byteLength(text) / bytesPerToken),
    outputTokens: typeof maxOutputTokens === "number" ? maxOutputTokens : defaultOutputTokens,
    cachedTokens: 0,
    thinkingTokens: 0,
  };
};

/**
 * Bounds the tokens of a call: no token of input is shorter than a byte, and the output has at most `maxOutputTokens`, of
 * which all may be reasoning; some services add a budget for it. Without `maxOutputTokens` the output has no bound.
 */
const boundTokens = (
  question: Question,
  parameters: JsonObject,
  { outputTokens }: TokenCounts,
): PricedTokens => {
  const bytes = Buffer.byteLength(JSON.stringify(question, withoutBigInts));
  const inputTokens = bytes + (question.tools?.length ? toolUseTokens : 0);
  const written = asksForCache(parameters) ? inputTokens : 0;
  const most = outputTokens + reasoningBudget(parameters);
  return {
    inputTokens,
    cacheWriteTokens: written,
    cacheWriteHourTokens: written,
    outputTokens: most,
    thinkingTokens: most,
    cachedTokens: 0,
  };
};

/** Writing to a cache costs more than input, and is only done if the parameters request it. */
const asksForCache = (parameters: JsonObject): boolean => /cache/i.test(JSON.stringify(parameters));

/** Returns the tokens of reasoning that Anthropic's models may use beyond `maxOutputTokens`. */
const reasoningBudget = ({ thinking, reasoningConfig }: JsonObject): number => {
  const budgets = [thinking, reasoningConfig].map((settings) =>
    isRecord(settings) && typeof settings.budgetTokens === "number" ? settings.budgetTokens : 0,
  );
  return Math.max(...budgets);
};

/** Omits the provider's own form of a message, which repeats its content. */
const withoutRaw = (message: ModelMessage): ModelMessage =>
  message.role === "assistant" ? { ...message, raw: undefined } : message;

const withoutBigInts = (_name: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value;
