import {
  accessTokenParameter,
  baseUrl,
  credential,
  type IntegrationDefinition,
} from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: IntegrationDefinition = {
  displayName: "Linear",
  description: "Registers webhooks of teams.",
  parameters: [
    credential("apiKey", "API key", "A personal API key."),
    accessTokenParameter,
    baseUrl("https://linear.example.com"),
  ],
};
