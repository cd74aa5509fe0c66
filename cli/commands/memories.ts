import { command, group } from "../command.ts";
import { argument, flag, positive } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const agent = argument("the agent's id");
const namespace = argument("the namespace of its memories");

const list = command({
  name: "list",
  summary: "List the memories of a namespace, newest first.",
  args: { agent, namespace },
  options: { limit: positive("maximum number of memories to list, by default 50") },
  examples: ["wharf memories list host user-42", "wharf memories list host user-42 --json"],
  scopes: "executions:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./memories/list.ts")).listMemories(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete a memory.",
  args: { agent, memory: argument("the memory's id") },
  options: { yes: flag("skip the confirmation") },
  examples: [`wharf memories delete host ${sampleIds.memory} --yes`],
  scopes: "agents:execute",
  json: '`{"id": "…", "deleted": true}`',
  run: async (input, io) => (await import("./memories/delete.ts")).deleteMemory(input, io),
});

const erase = command({
  name: "erase",
  summary: "Delete all memories of a namespace, for example of a person.",
  args: { agent, namespace },
  options: { yes: flag("skip the confirmation") },
  examples: ["wharf memories erase host user-42 --yes"],
  scopes: "agents:execute",
  json: '`{"namespace": "user-42", "deleted": true}`',
  run: async (input, io) => (await import("./memories/erase.ts")).eraseMemories(input, io),
});

/** Rows of `wharf memories`. */
export const memories = group({
  name: "memories",
  summary: "Memories of agents: facts that they keep between executions.",
  examples: ["wharf memories list host user-42", "wharf memories erase host user-42"],
  commands: [list, remove, erase],
});
