import { type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Generic",
  parameters: [
    {
      name: "replyUrl",
      displayName: "Reply URL",
      description: "The address that replies are posted to.",
    },
    credentialField(
      "signingSecret",
      "Signing secret",
      "Starts with whsec_. Signs messages and replies.",
    ),
  ],
};
