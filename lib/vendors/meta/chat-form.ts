import { apiUrl, type ChatForm, credential } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Meta: WhatsApp, Messenger, Instagram",
  parameters: [
    credential("accessToken", "Access token"),
    credential("appSecret", "App secret", "Authenticates the senders of messages."),
    credential("verifyToken", "Verify token", "Of your choice; enter the same at Meta."),
    apiUrl,
  ],
};
