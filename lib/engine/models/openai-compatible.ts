import type { Connector } from "./connector.ts";
import { isStrictSchema } from "./strict-schema.ts";

const name = "openaiCompatible";

/** Calls any server with OpenAI's Chat Completions API, such as Ollama, vLLM and LiteLLM. */
export const openaiCompatible: Connector = {
  optionsName: name,
  defaults: ({ outputSchema }) => ({
    ...(outputSchema && { strictJsonSchema: isStrictSchema(outputSchema) }),
  }),
  connect: async ({ apiKey, baseUrl }, model, fetch) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name,
      baseURL: baseUrl ?? "",
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...(apiKey !== null && { apiKey }),
    });
    return provider.languageModel(model);
  },
};
