import type { JsonObject } from "../flow/json.ts";

/** Tokens that a call used. */
export type TokenCounts = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly thinkingTokens: number;
};

/** What a model is asked. */
export type GenerateRequest = {
  readonly model: string;
  readonly system?: string;
  readonly prompt: string;
  /** The provider's own settings, such as `temperature`. */
  readonly parameters: JsonObject;
  readonly signal: AbortSignal;
  /** Is given the text piece by piece while it is made. */
  readonly onDelta?: (text: string) => void;
};

/** What a model answered. */
export type GenerateResult = { readonly text: string; readonly usage: TokenCounts };

/** A service that runs language models. Failures of the service are thrown as UpstreamError. */
export type ModelProvider = {
  /** The model that is meant when none is named. */
  readonly defaultModel?: string;
  generate(request: GenerateRequest): Promise<GenerateResult>;
};

/** Finds providers by id. */
export type ModelRegistry = {
  resolve(providerId: string): Promise<ModelProvider | undefined>;
};
