import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Meta: WhatsApp, Messenger, Instagram",
  parameters: [
    credentialField("accessToken", "Access token"),
    credentialField("appSecret", "App secret", "Authenticates the senders of messages."),
    credentialField("verifyToken", "Verify token", "Of your choice; enter the same at Meta."),
    apiUrl,
  ],
};
