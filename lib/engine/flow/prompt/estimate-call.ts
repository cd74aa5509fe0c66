import { isRecord, type JsonObject } from "../../../values/json/json.ts";
import { asksForCache } from "../../models/asks-for-cache.ts";
import type {
  GenerateRequest,
  ModelMessage,
  ModelProvider,
  PricedTokens,
  TokenCounts,
} from "../../models/model.ts";
import type { Estimate } from "../spend-guard.ts";
import { estimateFiles } from "./estimate-files.ts";

/** The request to a model without its settings. */
export type Question = Pick<
  GenerateRequest,
  "system" | "messages" | "tools" | "outputSchema" | "cache"
>;

/** The model of a call and its settings. */
export type CalledModel = {
  readonly provider: Pick<ModelProvider, "price" | "cachesOnRequest" | "takes">;
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
  const tokens = estimateTokens(question, parameters.maxOutputTokens, { provider, model });
  const { cost, priced } = await provider.price(model, tokens);
  const caches = question.cache && provider.cachesOnRequest?.(model, parameters);
  const bounded = boundTokens(question, parameters, {
    outputTokens: tokens.outputTokens,
    fileTokens: estimateFiles(question.messages, { provider, model }).most,
    caches: caches === true,
  });
  const bound = await provider.price(model, bounded);
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
  { messages, cache: _, ...rest }: Question,
  maxOutputTokens: unknown,
  receiver: Pick<CalledModel, "model"> & { readonly provider: Pick<ModelProvider, "takes"> },
): TokenCounts => {
  const files = estimateFiles(messages, receiver).expected;
  const text = JSON.stringify({ ...rest, messages: messages.map(withoutRaw) });
  return {
    inputTokens: Math.ceil(Buffer.byteLength(text) / bytesPerToken) + files,
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
  {
    outputTokens,
    fileTokens,
    caches,
  }: Pick<TokenCounts, "outputTokens"> & { fileTokens: number; caches: boolean },
): PricedTokens => {
  const { cache: _, ...sent } = question;
  const bytes = Buffer.byteLength(JSON.stringify(sent, withoutBigInts));
  const inputTokens = bytes + fileTokens + (question.tools?.length ? toolUseTokens : 0);
  // Writing to a cache costs more than input.
  const written = asksForCache(parameters) ? inputTokens : 0;
  const most = outputTokens + reasoningBudget(parameters);
  return {
    inputTokens,
    cacheWriteTokens: caches ? inputTokens : written,
    cacheWriteHourTokens: written,
    outputTokens: most,
    thinkingTokens: most,
    cachedTokens: 0,
  };
};

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
