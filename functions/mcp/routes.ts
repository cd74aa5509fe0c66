import { createDefineRoute } from "../../lib/edge/route.ts";
import { executing } from "../../lib/executions/schemas.ts";
import { McpBody, McpResponse, ResourceMetadata } from "../../lib/mcp/schemas.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";

const route = createDefineRoute("mcp");

export const getMcpResource = route({
  operation: "get-mcp-resource",
  method: "GET",
  path: "/.well-known/oauth-protected-resource/v1/tenants/{tenant}/mcp/{config}",
  summary: "Describes an MCP server as a protected resource of OAuth 2.1 (RFC 9728)",
  scope: "public",
  params: { config: Uuid },
  response: { status: 200, schema: ResourceMetadata },
  access: { issuer: true },
});

export const callMcp = route({
  operation: "call-mcp",
  method: "POST",
  path: "/v1/tenants/{tenant}/mcp/{config}",
  summary: "Sends Model Context Protocol messages to the server of an integration config",
  scope: "mcp:invoke",
  params: { config: Uuid },
  body: McpBody,
  maxBodyBytes: executing.maxBodyBytes,
  response: { status: 200, schema: McpResponse },
  access: executing.access,
  isOAuthResource: true,
  streaming: { completed: "message", failed: "message", onDemand: true, rpcErrors: true },
  timeoutSeconds: 150,
  slots: "call",
  concurrencyWeight: 3,
});
