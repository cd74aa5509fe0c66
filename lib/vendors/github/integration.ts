import {
  accessTokenParameter,
  baseUrl,
  credential,
  type IntegrationDefinition,
} from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: IntegrationDefinition = {
  displayName: "GitHub",
  description: "Registers webhooks of repositories.",
  parameters: [
    credential("token", "Token", "A token with write access to the repository's webhooks."),
    accessTokenParameter,
    baseUrl("https://ghe.example.com/api/v3"),
  ],
};
