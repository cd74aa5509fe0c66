import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { ModelConnector } from "./connector.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { isStrictSchema } from "./strict-schema.ts";

const name = "openaiCompatible";

/** Calls any server with OpenAI's Chat Completions API, such as Ollama, vLLM and LiteLLM. */
export const openaiCompatible: ModelConnector = {
  optionsName: name,
  defaults: ({ outputSchema }) => ({
    ...(outputSchema && { strictJsonSchema: isStrictSchema(outputSchema) }),
  }),
  connect: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).languageModel(model),
  connectEmbedding: async (settings, model, fetch) =>
    (await connectTo(settings, fetch)).embeddingModel(model),
};

const connectTo = async ({ apiKey, baseUrl }: ProviderSettings, fetch: GuardedFetch) => {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name,
    baseURL: baseUrl ?? "",
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey !== null && { apiKey }),
  });
};
