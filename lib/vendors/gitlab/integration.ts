import {
  accessTokenParameter,
  baseUrl,
  credential,
  type IntegrationDefinition,
} from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: IntegrationDefinition = {
  displayName: "GitLab",
  description: "Registers webhooks of projects.",
  parameters: [
    credential("token", "Private token", "A private token with the `api` scope."),
    accessTokenParameter,
    baseUrl("https://gitlab.example.com"),
  ],
};
