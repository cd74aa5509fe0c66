import { type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Generic",
  parameters: [
    {
      name: "replyUrl",
      displayName: "Reply URL",
      description: "Replies are sent there with POST.",
    },
    credentialField("signingSecret", "Signing secret", "whsec_…; signs messages and replies."),
  ],
};
