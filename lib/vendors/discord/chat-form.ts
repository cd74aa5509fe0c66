import { apiUrl, type ChatForm, credential } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Discord",
  parameters: [
    { name: "publicKey", displayName: "Public key" },
    credential("botToken", "Bot token"),
    apiUrl,
  ],
};
