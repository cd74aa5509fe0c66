import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { ModelConnector } from "./connector.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/**
 * Calls Amazon Bedrock's Converse API. Without an API key the function's role signs the calls; credentials, and
 * the default region, come from the environment.
 */
export const bedrock: ModelConnector = {
  optionsName: "bedrock",
  alwaysSaysWhy: true,
  connect: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).languageModel(model),
  connectEmbedding: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).embeddingModel(model),
};

const connectTo = async ({ apiKey, baseUrl, region }: ProviderSettings, fetch: GuardedFetch) => {
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  return createAmazonBedrock({
    fetch,
    ...(apiKey !== null && { apiKey }),
    ...(baseUrl !== null && { baseURL: baseUrl }),
    ...(region !== null && { region }),
  });
};
