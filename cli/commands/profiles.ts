import { command, group } from "../command.ts";
import { argument } from "../options.ts";

const list = command({
  name: "list",
  summary: "List the saved logins.",
  examples: ["wharf profiles list"],
  json: '`{"items": [{"name": "default", "url": "https://…", "tenant": "acme", "credential": "token", "isCurrent": true}]}`',
  run: async (input, io) => (await import("./profiles/list.ts")).listProfiles(input, io),
});

const use = command({
  name: "use",
  summary: "Use a saved login for the commands that follow.",
  args: { name: argument("the profile's name") },
  examples: ["wharf profiles use production"],
  notRun: "needs a second deployment",
  json: '`{"name": "production", "isCurrent": true}`',
  run: async (input, io) => (await import("./profiles/use.ts")).useProfile(input, io),
});

/** Rows of `wharf profiles`. */
export const profiles = group({
  name: "profiles",
  summary: "Manage logins at several deployments.",
  hint: "wharf login --profile NAME creates a profile, wharf logout --profile NAME removes it, and --profile or WHARF_PROFILE uses it for one command.",
  examples: ["wharf profiles list", "wharf profiles use production"],
  commands: [list, use],
});
