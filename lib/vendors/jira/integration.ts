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
    credential("email", "E-mail", "The account that the API token belongs to."),
    credential("apiToken", "API token", "An API token of that account."),
    integrationSetting(
      "cloudId",
      "Cloud ID",
      "The ID of the site. Requests then go to api.atlassian.com.",
    ),
    baseUrl("https://acme.atlassian.net"),
  ],
};
