/** Kinds of services that run language models. */
export const providerTypes = [
  "openai",
  "anthropic",
  "google",
  "bedrock",
  "openai-compatible",
] as const;

/** A kind of service. */
export type ProviderType = (typeof providerTypes)[number];

/** Returns whether a type of service has embedding models. */
export const hasEmbeddings = (type: ProviderType): boolean => type !== "anthropic";

/** A tenant's access to a service. */
export type ProviderSettings = {
  readonly id: string;
  readonly type: ProviderType;
  /** Null for the service's default address. */
  readonly baseUrl: string | null;
  /** Bedrock's region; null for the function's own. */
  readonly region: string | null;
  readonly defaultModel: string | null;
  /** Null when none is needed. */
  readonly apiKey: string | null;
};
