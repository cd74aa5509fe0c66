import type { Json, JsonObject } from "../../json/json.ts";

/**
 * Tokens that a call used, each counted under one kind only: what was read from a cache is not among
 * the input, what was thought is not among the output.
 */
export type TokenCounts = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly thinkingTokens: number;
};

/** US dollars by kind of token. */
export type Cost = {
  readonly inputCost: number;
  readonly outputCost: number;
  readonly cachedCost: number;
  readonly thinkingCost: number;
  readonly totalCost: number;
};

/** What tokens cost; `priced` is false when the price list does not know the model, which then costs 0. */
export type Price = { readonly cost: Cost; readonly priced: boolean };

/** A tool that a model may call. */
export type ModelTool = {
  /** Letters, digits, _ and -, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: JsonObject;
};

/** A model's wish to have a tool called. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: Json };

/** What a tool gave, in words for the model. */
export type ToolResult = {
  readonly id: string;
  readonly name: string;
  readonly output: Json;
  readonly isError: boolean;
};

/** What a model said. `raw` is the provider's own form, which is given back to it unchanged. */
export type AssistantMessage = {
  readonly role: "assistant";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly raw?: unknown;
};

/** One turn of a conversation. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | AssistantMessage
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** What a model is asked: one turn. Loops over tools are the caller's. */
export type GenerateRequest = {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** JSON Schema of the answer; without it the answer is text. */
  readonly outputSchema?: JsonObject;
  /** The provider's own settings, such as `temperature` and `maxOutputTokens`. */
  readonly parameters: JsonObject;
  readonly signal: AbortSignal;
  /** Is given the text piece by piece while it is made. Without it the answer comes whole. */
  readonly onDelta?: (text: string) => void;
};

/** What a model answered. */
export type GenerateResult = {
  readonly message: AssistantMessage;
  readonly usage: TokenCounts;
  /** `length`: cut off by maxOutputTokens. */
  readonly finishReason: "stop" | "tool-calls" | "length" | "content-filter" | "other";
};

/** A service that runs language models. Failures of the service are thrown as UpstreamError. */
export type ModelProvider = {
  /** The model that is meant when none is named. */
  readonly defaultModel?: string;
  generate(request: GenerateRequest): Promise<GenerateResult>;
  /** What such a use of a model costs, by the price list. */
  price(model: string, usage: TokenCounts): Promise<Price>;
};

/** Finds a tenant's providers by id. */
export type ModelRegistry = {
  resolve(providerId: string): Promise<ModelProvider | undefined>;
};
