import type { RegistrarId } from "./registrar-ids.ts";
import type { Integration } from "./schemas.ts";

type Parameter = Integration["parameters"][number];

const setting = (name: string, displayName: string, description: string): Parameter => ({
  name,
  displayName,
  description,
  required: false,
  secret: false,
});

const credential = (
  name: string,
  displayName: string,
  description: string,
  required = false,
): Parameter => ({ ...setting(name, displayName, description), required, secret: true });

const baseUrl = (example: string) =>
  setting("baseUrl", "Base URL", `Base URL of a self-hosted installation, such as ${example}.`);

const accessToken = credential("accessToken", "Access token", "Access token of an OAuth 2.0 app.");

/** Settings of the integrations that register webhooks; see docs/integration-configs.md. */
export const registeringIntegrations: Readonly<
  Record<RegistrarId, Pick<Integration, "displayName" | "description" | "parameters">>
> = {
  github: {
    displayName: "GitHub",
    description: "Registers webhooks of repositories.",
    parameters: [
      credential("token", "Token", "A token with write access to the repository's webhooks."),
      accessToken,
      baseUrl("https://ghe.example.com/api/v3"),
    ],
  },
  gitlab: {
    displayName: "GitLab",
    description: "Registers webhooks of projects.",
    parameters: [
      credential("token", "Private token", "A private token with the `api` scope."),
      accessToken,
      baseUrl("https://gitlab.example.com"),
    ],
  },
  jira: {
    displayName: "Jira",
    description: "Registers dynamic webhooks by JQL.",
    parameters: [
      accessToken,
      credential("email", "Email", "The account that the API token belongs to."),
      credential("apiToken", "API token", "An API token; requires `email`."),
      setting("cloudId", "Cloud id", "The site's id. Requests then go to api.atlassian.com."),
      baseUrl("https://acme.atlassian.net"),
    ],
  },
  telegram: {
    displayName: "Telegram",
    description: "Registers the webhook of a bot.",
    parameters: [
      credential("botToken", "Bot token", "The token issued by BotFather.", true),
      baseUrl("https://telegram.example.com"),
    ],
  },
  linear: {
    displayName: "Linear",
    description: "Registers webhooks of teams.",
    parameters: [
      credential("apiKey", "API key", "A personal API key."),
      accessToken,
      baseUrl("https://linear.example.com"),
    ],
  },
};
