/**
 * The vendors, which are the folders next to this file, in the order in which they are listed. `npm run vendors` writes
 * `registry/` from them.
 */
export const vendors = [
  "github",
  "gitlab",
  "slack",
  "jira",
  "zendesk",
  "notion",
  "google-drive",
  "confluence",
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
