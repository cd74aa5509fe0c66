import type { Connector } from "./connector.ts";

/**
 * Calls Amazon Bedrock's Converse API. Without an API key the function's role signs the calls; credentials, and
 * the default region, come from the environment.
 */
export const bedrock: Connector = {
  optionsName: "bedrock",
  connect: async ({ apiKey, baseUrl, region }, model, fetch) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const provider = createAmazonBedrock({
      fetch,
      ...(apiKey !== null && { apiKey }),
      ...(baseUrl !== null && { baseURL: baseUrl }),
      ...(region !== null && { region }),
    });
    return provider.languageModel(model);
  },
};
