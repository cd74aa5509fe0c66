import {
  accessTokenParameter,
  baseUrl,
  credential,
  type IntegrationDefinition,
  integrationSetting,
} from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: IntegrationDefinition = {
  displayName: "Jira",
  description: "Registers dynamic webhooks by JQL.",
  parameters: [
    accessTokenParameter,
    credential("email", "Email", "The account that the API token belongs to."),
    credential("apiToken", "API token", "An API token; requires `email`."),
    integrationSetting(
      "cloudId",
      "Cloud id",
      "The site's id. Requests then go to api.atlassian.com.",
    ),
    baseUrl("https://acme.atlassian.net"),
  ],
};
