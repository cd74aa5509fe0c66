import { apiUrl, type ChatForm, credentialField } from "../chat-form.ts";

/** Form of a connector. */
export const chatForm: ChatForm = {
  label: "Microsoft Teams",
  parameters: [
    { name: "appId", displayName: "App ID" },
    credentialField("appPassword", "App password"),
    {
      name: "appTenantId",
      displayName: "App tenant ID",
      description: "The tenant of a single-tenant bot. Empty for others.",
    },
    apiUrl,
  ],
};
