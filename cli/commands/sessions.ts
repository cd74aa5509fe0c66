import { command, group } from "../command.ts";
import { argument, flag, positive, text } from "../options.ts";

const agent = argument("the agent's id");
const session = argument("the session's id");
const scopes = "executions:read; for sessions that you started, agents:execute";

const list = command({
  name: "list",
  summary: "List the sessions of an agent, newest first.",
  args: { agent },
  options: {
    endUser: text("id", "only sessions of this end user"),
    limit: positive("maximum number of sessions to list, by default 50"),
  },
  examples: ["wharf sessions list host", "wharf sessions list host --end-user ada --json"],
  scopes,
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./sessions/list.ts")).listSessions(input, io),
});

const get = command({
  name: "get",
  summary: "Show a session with its messages.",
  args: { agent, session },
  options: { limit: positive("maximum number of messages to show, by default 200") },
  examples: ["wharf sessions get host ticket-4711"],
  scopes,
  json: '`{"session": …, "messages": […]}`, as the API returned them',
  run: async (input, io) => (await import("./sessions/get.ts")).getSession(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete a session with its messages.",
  args: { agent, session },
  options: { yes: flag("skip the confirmation") },
  examples: ["wharf sessions delete host ticket-4711 --yes"],
  scopes: "agents:execute; for sessions that others started, executions:read too",
  json: '`{"id": "ticket-4711", "deleted": true}`',
  run: async (input, io) => (await import("./sessions/delete.ts")).deleteSession(input, io),
});

const erase = command({
  name: "erase",
  summary: "Delete all sessions of an end user, and the memories that were taken in them.",
  args: { agent, endUser: argument("the end user's id") },
  options: { yes: flag("skip the confirmation") },
  examples: ["wharf sessions erase host ada --yes"],
  scopes: "agents:execute, executions:read",
  json: '`{"endUserId": "ada", "deleted": true}`',
  run: async (input, io) => (await import("./sessions/erase.ts")).eraseSessions(input, io),
});

/** Rows of `wharf sessions`. */
export const sessions = group({
  name: "sessions",
  summary: "Sessions of agents: conversations that executions continue.",
  examples: ["wharf sessions list host", "wharf sessions get host ticket-4711"],
  commands: [list, get, remove, erase],
});
