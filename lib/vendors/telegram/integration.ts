import { baseUrl, credential, type IntegrationDefinition } from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: IntegrationDefinition = {
  displayName: "Telegram",
  description: "Registers the webhook of a bot.",
  parameters: [
    credential("botToken", "Bot token", "The token issued by BotFather.", true),
    baseUrl("https://telegram.example.com"),
  ],
};
