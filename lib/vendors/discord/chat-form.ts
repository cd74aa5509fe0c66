import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Discord",
  parameters: [
    { name: "publicKey", displayName: "Public key" },
    credentialField("botToken", "Bot token"),
    apiUrl,
  ],
};
