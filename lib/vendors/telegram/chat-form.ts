import { apiUrl, type ChatForm, credential } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Telegram",
  parameters: [
    credential("botToken", "Bot token", "Of @BotFather."),
    credential("secretToken", "Secret token", "The same as in setWebhook."),
    apiUrl,
  ],
};
