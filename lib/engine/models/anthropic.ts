import { baseAddresses } from "./base-addresses.ts";
import type { ModelConnector } from "./connector.ts";

/** Calls Anthropic's Messages API. */
export const anthropic: ModelConnector = {
  optionsName: "anthropic",
  cacheMark: () => ({ options: { cacheControl: { type: "ephemeral" } } }),
  connect: async ({ apiKey, baseUrl }, model, fetch) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const baseURL = baseUrl ?? baseAddresses.anthropic;
    return createAnthropic({ apiKey: apiKey ?? "", baseURL, fetch }).languageModel(model);
  },
};
