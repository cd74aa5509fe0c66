import type { Connector } from "./connector.ts";

/** Calls Google's Gemini API. */
export const google: Connector = {
  optionsName: "google",
  connect: async ({ apiKey, baseUrl }, model, fetch) => {
    const { createGoogle } = await import("@ai-sdk/google");
    const baseURL = baseUrl ?? "https://generativelanguage.googleapis.com/v1beta";
    return createGoogle({ apiKey: apiKey ?? "", baseURL, fetch }).languageModel(model);
  },
};
