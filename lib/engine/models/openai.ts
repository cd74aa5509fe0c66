import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { baseAddresses } from "./base-addresses.ts";
import type { ModelConnector } from "./connector.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { isStrictSchema } from "./strict-schema.ts";

/** Calls OpenAI's Responses API. Stores nothing there unless a step sets `store`. */
export const openai: ModelConnector = {
  optionsName: "openai",
  defaults: ({ outputSchema }) => ({
    store: false,
    ...(outputSchema && { strictJsonSchema: isStrictSchema(outputSchema) }),
  }),
  strictTool: ({ parameters }) => isStrictSchema(parameters),
  connect: async (settings, model, fetch) => (await connectTo(settings, fetch)).responses(model),
  connectEmbedding: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).embeddingModel(model),
};

const connectTo = async ({ apiKey, baseUrl }: ProviderSettings, fetch: GuardedFetch) => {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const baseURL = baseUrl ?? baseAddresses.openai;
  return createOpenAI({ apiKey: apiKey ?? "", baseURL, fetch });
};
