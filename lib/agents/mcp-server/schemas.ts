import * as z from "zod";

const mostInBatch = 20;

/** What a client sends: a message of JSON-RPC 2.0, or a batch of them. What it says is the protocol's to check. */
export const McpBody = z
  .union([z.looseObject({}), z.array(z.looseObject({})).min(1).max(mostInBatch)])
  .meta({
    id: "McpMessage",
    description: "A JSON-RPC 2.0 message of the Model Context Protocol (Streamable HTTP).",
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });
export type McpBody = z.output<typeof McpBody>;

/** What a client gets for a message that asks something. */
export const McpAnswer = z.union([z.looseObject({}), z.array(z.looseObject({}))]).meta({
  id: "McpAnswer",
  description: "A JSON-RPC 2.0 response; 202 without a body when the message needs none.",
});
