import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Meta: WhatsApp, Messenger, Instagram",
  parameters: [
    credentialField("accessToken", "Access token"),
    credentialField("appSecret", "App secret", "Authenticates the senders of messages."),
    credentialField(
      "verifyToken",
      "Verify token",
      "A text of your choice. Enter the same at Meta.",
    ),
    apiUrl,
  ],
};
