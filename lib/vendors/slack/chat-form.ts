import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Slack",
  parameters: [
    credentialField(
      "botToken",
      "Bot token",
      "xoxb-…, with the scope chat:write, and files:read for attachments.",
    ),
    credentialField("signingSecret", "Signing secret", "Authenticates the senders of messages."),
    apiUrl,
  ],
};
