/**
 * The vendors, which are the folders next to this file, in the order of lists. `npm run vendors` writes `lists/` from
 * them.
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
