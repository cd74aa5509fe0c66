import * as z from "zod";

const maxInBatch = 20;

/** A JSON-RPC 2.0 message or a batch of them; the protocol library validates the content. */
export const McpBody = z
  .union([z.looseObject({}), z.array(z.looseObject({})).min(1).max(maxInBatch)])
  .meta({
    id: "McpMessage",
    description: "A JSON-RPC 2.0 message of the Model Context Protocol (Streamable HTTP).",
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });
export type McpBody = z.output<typeof McpBody>;

/** Metadata of an MCP server as a protected resource (RFC 9728, 2). */
export const ResourceMetadata = z
  .object({
    resource: z.string().meta({ description: "The URL of the server." }),
    authorization_servers: z.array(z.string()).meta({ description: "The issuer of user tokens." }),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .meta({ id: "McpResourceMetadata" });

/** Response to a JSON-RPC request. */
export const McpResponse = z.union([z.looseObject({}), z.array(z.looseObject({}))]).meta({
  id: "McpResponse",
  description: "A JSON-RPC 2.0 response; 202 without a body when the message needs none.",
});
