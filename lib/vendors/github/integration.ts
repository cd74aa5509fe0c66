import { accessToken, baseUrl, credential, type Integration } from "../integration.ts";

/** Settings of configs; see docs/integration-configs.md. */
export const integration: Integration = {
  displayName: "GitHub",
  description: "Registers webhooks of repositories.",
  parameters: [
    credential("token", "Token", "A token with write access to the repository's webhooks."),
    accessToken,
    baseUrl("https://ghe.example.com/api/v3"),
  ],
};
