import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Telegram",
  parameters: [
    credentialField("botToken", "Bot token", "Of @BotFather."),
    credentialField("secretToken", "Secret token", "The same as in setWebhook."),
    apiUrl,
  ],
};
