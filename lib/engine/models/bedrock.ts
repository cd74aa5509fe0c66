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
  cacheMark(model) {
    const options = { cachePoint: { type: "default" } };
    if (cachingClaude.test(model)) return { options };
    return cachingNova.test(model) ? { options, systemOnly: true } : undefined;
  },
  connect: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).languageModel(model),
  connectEmbedding: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).embeddingModel(model),
};

/** Models with prompt caching; others refuse a request with a cache point (Bedrock user guide, "Prompt caching"). */
const cachingClaude =
  /anthropic\.claude-(3-5-haiku|3-5-sonnet-20241022|3-7|(?!3-|v|instant)[a-z]+-\d)/;
const cachingNova = /amazon\.nova-(micro|lite|pro|premier)/;

const connectTo = async ({ apiKey, baseUrl, region }: ProviderSettings, fetch: GuardedFetch) => {
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  return createAmazonBedrock({
    fetch,
    ...(apiKey !== null && { apiKey }),
    ...(baseUrl !== null && { baseURL: baseUrl }),
    ...(region !== null && { region }),
  });
};
