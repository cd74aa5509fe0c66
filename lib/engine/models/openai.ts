import type { Connector } from "./connector.ts";
import { isStrictSchema } from "./strict-schema.ts";

/** Calls OpenAI's Responses API. Stores nothing there unless a step sets `store`. */
export const openai: Connector = {
  optionsName: "openai",
  defaults: ({ outputSchema }) => ({
    store: false,
    ...(outputSchema && { strictJsonSchema: isStrictSchema(outputSchema) }),
  }),
  strictTool: ({ parameters }) => isStrictSchema(parameters),
  connect: async ({ apiKey, baseUrl }, model, fetch) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const baseURL = baseUrl ?? "https://api.openai.com/v1";
    return createOpenAI({ apiKey: apiKey ?? "", baseURL, fetch }).responses(model);
  },
};
