import type { Json, JsonObject } from "../../values/json/json.ts";
import type { FlowFile } from "../flow-file.ts";
import type { Takes } from "./file-kinds.ts";

/**
 * Tokens of a call. Each counts under one kind only: input excludes tokens read from a cache, output excludes
 * reasoning.
 */
export type TokenCounts = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly thinkingTokens: number;
};

/**
 * Tokens of a call as they are priced: those written to a cache are part of `inputTokens`, and those that it keeps for
 * an hour are part of those. Absent for 0.
 */
export type PricedTokens = TokenCounts & {
  readonly cacheWriteTokens?: number;
  readonly cacheWriteHourTokens?: number;
};

/** US dollars by kind of token. */
export type Cost = {
  readonly inputCost: number;
  readonly outputCost: number;
  readonly cachedCost: number;
  readonly thinkingCost: number;
  readonly totalCost: number;
};

/** The cost of tokens; a model without a known price is not `priced` and costs 0. */
export type Price = { readonly cost: Cost; readonly priced: boolean };

/** A tool that a model may call. */
export type ModelTool = {
  /** Letters, digits, _ and -, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: JsonObject;
};

/** A tool call that a model requests. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: Json };

/** The result of a tool call, as text for the model. */
export type ToolResult = {
  readonly id: string;
  readonly name: string;
  readonly output: Json;
  readonly isError: boolean;
};

/** A model's message. `raw` is the provider's own form, which is sent back unchanged. */
export type AssistantMessage = {
  readonly role: "assistant";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly raw?: unknown;
};

/** A file as a model gets it: as it is, or as text. */
export type FilePart =
  | {
      readonly type: "media";
      readonly name: string;
      readonly mediaType: string;
      readonly content: Uint8Array;
    }
  | { readonly type: "text"; readonly text: string };

/** The files of a request as its model gets them, by their ids. */
export type FileParts = ReadonlyMap<string, FilePart>;

/** A user's message. */
export type UserMessage = {
  readonly role: "user";
  readonly text: string;
  readonly files?: readonly FlowFile[];
};

/** A message of a conversation with a model. */
export type ModelMessage =
  | UserMessage
  | AssistantMessage
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** A request for one turn of a model; the caller runs the tools. */
export type GenerateRequest = {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  /** Has all files of the messages; absent for messages without files. */
  readonly fileParts?: FileParts;
  readonly tools?: readonly ModelTool[];
  /** JSON Schema of the response; default: the response is text. */
  readonly outputSchema?: JsonObject;
  /** The provider's own settings, such as `temperature` and `maxOutputTokens`. */
  readonly parameters: JsonObject;
  readonly signal: AbortSignal;
  /** Receives the text as it is generated; without it the response is not streamed. */
  readonly onDelta?: (text: string) => void;
  /** Called whenever a part of a streamed response arrives. */
  readonly onProgress?: () => void;
  /** Asks the service to cache the beginning; `recalled` is the number of messages of earlier turns of a session. */
  readonly cache?: { readonly recalled: number };
  /** Whether a throttled call fails without a retry, since another model can be called. */
  readonly isImpatient?: boolean;
};

/** The result of one turn. */
export type GenerateResult = {
  readonly message: AssistantMessage;
  readonly usage: PricedTokens;
  /** `length`: truncated by maxOutputTokens. */
  readonly finishReason: "stop" | "tool-calls" | "length" | "content-filter" | "other";
  /** Model that the service names in its response, such as a dated version; absent when it names none. */
  readonly responseModelId?: string;
};

/** A request for the embeddings of texts, in one call of the service or several. */
export type EmbedRequest = {
  readonly model: string;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
};

/** Embeddings in the order of the texts, all of one dimension. */
export type EmbedResult = {
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number;
};

/** A text for a guardrail of Amazon Bedrock. */
export type BedrockGuardrailRequest = {
  readonly guardrailId: string;
  readonly version: string;
  readonly source: "INPUT" | "OUTPUT";
  readonly text: string;
  readonly signal: AbortSignal;
};

/** The findings of a guardrail of Amazon Bedrock in a text. */
export type BedrockGuardrailResult = {
  /** Whether it intervened: blocked or masked something. */
  readonly intervened: boolean;
  /** Kinds of what it found, such as `EMAIL`; never the content. */
  readonly kinds: readonly string[];
  /** Whether it blocks something that it does not mask. */
  readonly blocks: boolean;
  /** Parts of the text that it masks, by kind. */
  readonly masks: readonly { readonly match: string; readonly kind: string }[];
};

/** A service that runs language models. Throws UpstreamError for failures of the service. */
export type ModelProvider = {
  /** Default model. */
  readonly defaultModel?: string;
  generate(request: GenerateRequest): Promise<GenerateResult>;
  /** Absent for a service without embedding models. */
  embed?(request: EmbedRequest): Promise<EmbedResult>;
  /** Returns the categories of harmful content in a text; absent for a service without moderation. */
  moderate?(request: { text: string; signal: AbortSignal }): Promise<readonly string[]>;
  /** Absent for all services but Amazon Bedrock. */
  applyGuardrail?(request: BedrockGuardrailRequest): Promise<BedrockGuardrailResult>;
  /** Returns the Unix milliseconds until which a model is left alone after a failure; absent, and 0, for none. */
  restsUntil?(model: string): number;
  /** Returns whether a model's service caches what it is asked to, at a price; absent for no model. */
  cachesOnRequest?(model: string, parameters: JsonObject): boolean;
  /** Returns whether a model takes files of a media type as they are; absent where that is unknown. */
  takes?(model: string, mediaType: string): Takes;
  /** Returns the cost of tokens of a model. */
  price(model: string, usage: PricedTokens): Promise<Price>;
};

/** Finds a tenant's providers by id. */
export type ModelRegistry = {
  resolve(providerId: string): Promise<ModelProvider | undefined>;
  /** Returns Amazon Bedrock as this deployment's role calls it; absent where there is none. */
  deploymentBedrock?(): ModelProvider;
};
