// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.

/** Vendors with a webhook.ts. */
export const webhookProviderIds = [
  "github",
  "gitlab",
  "slack",
  "jira",
  "zendesk",
  "notion",
  "stripe",
  "shopify",
  "teams",
  "zoom",
  "telegram",
  "discord",
  "meta",
  "linear",
  "standard",
  "generic",
] as const;

/** Vendors with a registration.ts. */
export const registrarIds = ["github", "gitlab", "jira", "telegram", "linear"] as const;

/** Vendors with a chat.ts. */
export const chatProviderIds = [
  "slack",
  "teams",
  "telegram",
  "discord",
  "meta",
  "generic",
] as const;
export type ChatProviderId = (typeof chatProviderIds)[number];
