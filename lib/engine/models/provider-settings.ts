/** The kinds of services that language models are called at. */
export const providerTypes = [
  "openai",
  "anthropic",
  "google",
  "bedrock",
  "openai-compatible",
] as const;

/** A kind of service. */
export type ProviderType = (typeof providerTypes)[number];

/** A tenant's access to a service. */
export type ProviderSettings = {
  readonly id: string;
  readonly type: ProviderType;
  /** Null for the service's own address. */
  readonly baseUrl: string | null;
  /** Of Bedrock; null for the function's own. */
  readonly region: string | null;
  readonly defaultModel: string | null;
  /** Null where none is needed. */
  readonly apiKey: string | null;
};
