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
  setting("baseUrl", "Base URL", `Of an installation of your own, such as ${example}.`);

const accessToken = credential("accessToken", "Access token", "Of an OAuth 2.0 app.");

/** What configs of the providers take with which the service registers webhooks; docs/integration-configs.md. */
export const registeringIntegrations: Readonly<
  Record<RegistrarId, Pick<Integration, "displayName" | "description" | "parameters">>
> = {
  github: {
    displayName: "GitHub",
    description: "Registers webhooks of repositories.",
    parameters: [
      credential("token", "Token", "A token that may write the repository's webhooks."),
      accessToken,
      baseUrl("https://ghe.example.com/api/v3"),
    ],
  },
  gitlab: {
    displayName: "GitLab",
    description: "Registers webhooks of projects.",
    parameters: [
      credential("token", "Private token", "A private token with the scope api."),
      accessToken,
      baseUrl("https://gitlab.example.com"),
    ],
  },
  jira: {
    displayName: "Jira",
    description: "Registers dynamic webhooks by JQL.",
    parameters: [
      accessToken,
      credential("email", "Email", "Whose API token it is."),
      credential("apiToken", "API token", "Together with email."),
      setting("cloudId", "Cloud id", "The site's id; the API is then api.atlassian.com."),
      baseUrl("https://acme.atlassian.net"),
    ],
  },
  telegram: {
    displayName: "Telegram",
    description: "Registers the webhook of a bot.",
    parameters: [
      credential("botToken", "Bot token", "As BotFather gave it.", true),
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
