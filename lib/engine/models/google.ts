import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { ModelConnector } from "./connector.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Calls Google's Gemini API. */
export const google: ModelConnector = {
  optionsName: "google",
  connect: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).languageModel(model),
  connectEmbedding: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).embeddingModel(model),
};

const connectTo = async ({ apiKey, baseUrl }: ProviderSettings, fetch: GuardedFetch) => {
  const { createGoogle } = await import("@ai-sdk/google");
  const baseURL = baseUrl ?? "https://generativelanguage.googleapis.com/v1beta";
  return createGoogle({ apiKey: apiKey ?? "", baseURL, fetch });
};
