/** The public addresses of services, which a provider without a `baseUrl` calls. */
export const baseAddresses = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;
