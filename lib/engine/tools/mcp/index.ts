import type { ConfiguredIntegration } from "../integration.ts";
import { listRemoteTools } from "./list-remote-tools.ts";

/** Integration `mcp`: tools of a remote Model Context Protocol server over Streamable HTTP. */
export const mcpIntegration: ConfiguredIntegration = {
  id: "mcp",
  displayName: "Model Context Protocol",
  description: "The tools of a remote MCP server, over Streamable HTTP.",
  parameters: [
    {
      name: "url",
      displayName: "URL",
      description: "The server's address, https, such as https://mcp.example.com/mcp.",
      required: true,
      secret: false,
    },
    {
      name: "token",
      displayName: "Token",
      description: "Sent as a bearer token in the header Authorization.",
      required: false,
      secret: true,
    },
    {
      name: "headerName",
      displayName: "Header name",
      description: "The header for a credential that is no bearer token, such as X-API-KEY.",
      required: false,
      secret: false,
    },
    {
      name: "headerValue",
      displayName: "Header value",
      description: "The credential that is sent in that header.",
      required: false,
      secret: true,
    },
  ],
  tools: listRemoteTools,
};
