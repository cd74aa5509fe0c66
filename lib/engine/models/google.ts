import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { baseAddresses } from "./base-addresses.ts";
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
  const baseURL = baseUrl ?? baseAddresses.google;
  return createGoogle({ apiKey: apiKey ?? "", baseURL, fetch });
};
