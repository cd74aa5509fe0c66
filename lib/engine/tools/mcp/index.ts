import type { ConfiguredIntegration } from "../integration.ts";
import { mcpParameters } from "./config-parameters.ts";
import { listRemoteTools } from "./list-remote-tools.ts";

/** Integration `mcp`: tools of a remote Model Context Protocol server over Streamable HTTP. */
export const mcpIntegration: ConfiguredIntegration = {
  id: "mcp",
  displayName: "Model Context Protocol",
  description: "The tools of a remote MCP server, over Streamable HTTP.",
  parameters: mcpParameters,
  listsWithToken: true,
  tools: listRemoteTools,
};
