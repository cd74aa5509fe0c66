import { command, group } from "../command.ts";
import { argument, flag, positive, text } from "../options.ts";

const list = command({
  name: "list",
  summary: "List agents.",
  options: { limit: positive("maximum number of agents to list") },
  examples: ["wharf agents list", "wharf agents list --json | jq -r '.items[].id'"],
  scopes: "agents:read",
  json: '`{"items": […]}`, each item as the API returned it',
  run: async (input, io) => (await import("./agents/list.ts")).listAgents(input, io),
});

const get = command({
  name: "get",
  summary: "Show an agent.",
  args: { agent: argument("the agent's id") },
  examples: ["wharf agents get hello"],
  scopes: "agents:read",
  json: "the agent as the API returned it",
  run: async (input, io) => (await import("./agents/get.ts")).getAgent(input, io),
});

const create = command({
  name: "create",
  summary: "Create an agent without a revision.",
  args: { agent: argument("the new agent's id") },
  options: {
    displayName: text("name", "name to show; by default the id"),
    description: text("text", "description of the agent"),
  },
  examples: ["wharf agents create support --display-name Support"],
  scopes: "agents:write",
  json: "the agent as the API returned it",
  run: async (input, io) => (await import("./agents/create.ts")).createAgent(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete an agent with its revisions, executions and schedules.",
  args: { agent: argument("the agent's id") },
  options: { yes: flag("skip the confirmation") },
  examples: ["wharf agents delete support --yes"],
  scopes: "agents:write",
  json: '`{"id": "support", "deleted": true}`',
  run: async (input, io) => (await import("./agents/delete.ts")).deleteAgent(input, io),
});

/** Rows of `wharf agents`. */
export const agents = group({
  name: "agents",
  summary: "Manage agents.",
  examples: ["wharf agents list", "wharf agents create support --display-name Support"],
  commands: [list, get, create, remove],
});
