import { command, group } from "../command.ts";
import { argument, flag, positive } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const { apiKey: id } = sampleIds;

const history = command({
  name: "history",
  summary: "List the audit events of an API key, newest first.",
  args: { id: argument("the key's id") },
  options: { limit: positive("maximum number of events to list") },
  examples: [`wharf keys history ${id}`, `wharf keys history ${id} --limit 5 --json`],
  scopes: "keys:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./keys/history.ts")).listKeyHistory(input, io),
});

const list = command({
  name: "list",
  summary: "List the organization's API keys, oldest first.",
  options: {
    includeRevoked: flag("include revoked keys"),
    limit: positive("maximum number of keys to list"),
  },
  examples: [
    "wharf keys list",
    "wharf keys list --include-revoked --limit 20",
    "wharf keys list --json | jq -r '.items[] | select(.lastUsedAt == null) | .id'",
  ],
  scopes: "keys:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./keys/list.ts")).listKeys(input, io),
});

const revoke = command({
  name: "revoke",
  alias: "delete",
  summary: "Revoke an API key.",
  args: { id: argument("the key's id") },
  options: { yes: flag("skip the confirmation") },
  notes:
    "The key stops working immediately and permanently; its history is kept. Revoking a revoked key has no effect.",
  examples: [`wharf keys revoke ${id}`, `wharf keys delete ${id} --yes`],
  notRun: "revokes the key that the page uses",
  scopes: "keys:write",
  json: '`{"id": "01a1fb9f-…", "revoked": true}`',
  run: async (input, io) => (await import("./keys/revoke.ts")).revokeKey(input, io),
});

const scopes = command({
  name: "scopes",
  summary: "List scopes and presets of API keys.",
  examples: [
    "wharf keys scopes",
    `wharf keys scopes --json | jq -r '.presets[] | select(.name == "Builder") | .scopes[]'`,
  ],
  json: 'the API\'s response: `{"scopes": […], "presets": […]}`',
  run: async (input, io) => (await import("./keys/scopes.ts")).listKeyScopes(input, io),
});

/** Rows of `wharf keys`. */
export const keys = group({
  name: "keys",
  summary: "Manage API keys.",
  hint: "Create and rotate keys in the console, which shows a new key once. The API has POST …/apiKeys:generate and POST …/apiKeys/{apiKey}:rotate.",
  examples: ["wharf keys list", `wharf keys history ${id}`, `wharf keys revoke ${id}`],
  commands: [list, revoke, history, scopes],
});
