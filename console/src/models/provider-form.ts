import type {
  CreateLlmProviderBody,
  LlmProvider,
  UpdateLlmProviderBody,
} from "../../../client/openapi.ts";

/** A type of provider that can be created. */
export type RemoteType = CreateLlmProviderBody["type"];

/** Names of the types. */
export const typeNames: Readonly<Record<LlmProvider["type"], string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google Gemini",
  bedrock: "Amazon Bedrock",
  "openai-compatible": "OpenAI-compatible",
  echo: "Echo, built in",
};

/** The types that can be created. */
export const remoteTypes: readonly RemoteType[] = [
  "openai",
  "anthropic",
  "google",
  "bedrock",
  "openai-compatible",
];

/** The values of a provider's form. */
export type ProviderForm = {
  type: RemoteType;
  id: string;
  displayName: string;
  baseUrl: string;
  region: string;
  defaultModel: string;
  /** Empty leaves the stored one. */
  apiKey: string;
};

export const emptyProviderForm: ProviderForm = {
  type: "openai",
  id: "",
  displayName: "",
  baseUrl: "",
  region: "",
  defaultModel: "",
  apiKey: "",
};

/** Pointers that the form's fields show. */
export const providerPointers = [
  "/type",
  "/id",
  "/displayName",
  "/baseUrl",
  "/region",
  "/defaultModel",
  "/apiKey",
] as const;

/** Converts a provider to the values of the form. */
export const toProviderForm = (provider: LlmProvider): ProviderForm => ({
  ...emptyProviderForm,
  id: provider.id,
  type: provider.type === "echo" ? "openai" : provider.type,
  displayName: provider.displayName,
  baseUrl: provider.baseUrl ?? "",
  region: provider.region ?? "",
  defaultModel: provider.defaultModel ?? "",
});

const orNull = (text: string): string | null => (text === "" ? null : text);

/** Converts the values of the form to the body that creates a provider. */
export const toCreateBody = (form: ProviderForm): CreateLlmProviderBody => ({
  type: form.type,
  id: orNull(form.id),
  displayName: orNull(form.displayName),
  baseUrl: orNull(form.baseUrl),
  region: form.type === "bedrock" ? orNull(form.region) : null,
  defaultModel: orNull(form.defaultModel),
  apiKey: orNull(form.apiKey),
});

/** Converts the values of the form to the body that changes a provider. */
export const toUpdateBody = (form: ProviderForm): UpdateLlmProviderBody => ({
  displayName: form.displayName,
  baseUrl: orNull(form.baseUrl),
  ...(form.type === "bedrock" && { region: orNull(form.region) }),
  defaultModel: orNull(form.defaultModel),
  ...(form.apiKey !== "" && { apiKey: form.apiKey }),
});
