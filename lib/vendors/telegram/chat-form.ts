import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Telegram",
  parameters: [
    credentialField("botToken", "Bot token", "Issued by @BotFather."),
    credentialField("secretToken", "Secret token", "The secret_token of setWebhook."),
    apiUrl,
  ],
};
