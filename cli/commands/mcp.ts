import { command, group } from "../command.ts";
import { text, texts } from "../options.ts";

const create = command({
  name: "create",
  summary: "Create an MCP server that offers agents and built-in tools to other programs.",
  options: {
    agent: texts("id", "an agent to offer, as a tool with its inputs (can be repeated)"),
    tool: texts("id", "a tool of the integration system to offer (can be repeated)"),
    displayName: text("name", "name of the server's config; by default MCP"),
  },
  notes:
    "Creates and publishes an integration config, and prints the server's URL and its API key. The key is shown once and can call this server only; clients send it in the header X-API-KEY. If the config cannot be published, none is left.",
  examples: [
    "wharf mcp create --agent hello",
    "wharf mcp create --agent hello --tool calculate --json",
  ],
  scopes: "integrations:write, mcp:invoke; agents:execute to offer agents",
  json: "the config as the API returned it, with `mcpKey.key`, and with `url`",
  run: async (input, io) => (await import("./mcp/create.ts")).createMcpServer(input, io),
});

/** Rows of `wharf mcp`. */
export const mcp = group({
  name: "mcp",
  summary: "Offer agents and tools as an MCP server.",
  examples: ["wharf mcp create --agent hello"],
  commands: [create],
});
