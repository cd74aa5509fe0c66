import type { Connector } from "../../../client/openapi.ts";
import type { FormField } from "../shared/form-from-schema.tsx";

/** A provider of chats, with the parameters of its connectors. */
export type ChatProvider = {
  id: Connector["provider"];
  label: string;
  parameters: readonly FormField[];
};

const apiUrl: FormField = {
  name: "apiUrl",
  displayName: "API URL",
  description: "Of another installation of the provider's API.",
};

const credential = (name: string, displayName: string, description?: string): FormField => ({
  name,
  displayName,
  secret: true,
  ...(description !== undefined && { description }),
});

/** The providers, in the order in which they are offered. */
export const chatProviders: readonly ChatProvider[] = [
  {
    id: "slack",
    label: "Slack",
    parameters: [
      credential("botToken", "Bot token", "xoxb-…, with the scope chat:write."),
      credential("signingSecret", "Signing secret", "Authenticates the senders of messages."),
      apiUrl,
    ],
  },
  {
    id: "teams",
    label: "Microsoft Teams",
    parameters: [
      { name: "appId", displayName: "App ID" },
      credential("appPassword", "App password"),
      {
        name: "appTenantId",
        displayName: "App tenant ID",
        description: "Of a single-tenant bot; otherwise empty.",
      },
      apiUrl,
    ],
  },
  {
    id: "telegram",
    label: "Telegram",
    parameters: [
      credential("botToken", "Bot token", "Of @BotFather."),
      credential("secretToken", "Secret token", "The same as in setWebhook."),
      apiUrl,
    ],
  },
  {
    id: "discord",
    label: "Discord",
    parameters: [
      { name: "publicKey", displayName: "Public key" },
      credential("botToken", "Bot token"),
      apiUrl,
    ],
  },
  {
    id: "meta",
    label: "Meta: WhatsApp, Messenger, Instagram",
    parameters: [
      credential("accessToken", "Access token"),
      credential("appSecret", "App secret", "Authenticates the senders of messages."),
      credential("verifyToken", "Verify token", "Of your choice; enter the same at Meta."),
      apiUrl,
    ],
  },
  {
    id: "generic",
    label: "Generic",
    parameters: [
      {
        name: "replyUrl",
        displayName: "Reply URL",
        description: "Replies are sent there with POST.",
      },
      credential("signingSecret", "Signing secret", "whsec_…; signs messages and replies."),
    ],
  },
];

/** Returns the name of a provider. */
export const chatProviderLabel = (provider: string): string =>
  chatProviders.find(({ id }) => id === provider)?.label ?? provider;
