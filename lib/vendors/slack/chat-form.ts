import { apiUrl, type ChatForm, credential } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Slack",
  parameters: [
    credential("botToken", "Bot token", "xoxb-…, with the scope chat:write."),
    credential("signingSecret", "Signing secret", "Authenticates the senders of messages."),
    apiUrl,
  ],
};
