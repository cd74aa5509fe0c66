import { executing } from "../../lib/execution/executing.ts";
import { Uuid } from "../../lib/http/ids.ts";
import { routesOf } from "../../lib/http/route.ts";
import { McpAnswer, McpBody } from "../../lib/mcp/schemas.ts";

const route = routesOf("mcp");

export const callMcp = route({
  operation: "call-mcp",
  method: "POST",
  path: "/v1/tenants/{tenant}/mcp/{config}",
  summary: "Speak the Model Context Protocol with the server of an integration config",
  scope: "mcp:invoke",
  params: { config: Uuid },
  body: McpBody,
  response: { status: 200, schema: McpAnswer },
  access: executing.access,
  timeoutSeconds: 60,
});
