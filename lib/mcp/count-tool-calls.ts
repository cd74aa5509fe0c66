import type { McpBody } from "./schemas.ts";

/** Counts the requests of a message or batch for the rate limit: its `tools/call` messages, at least one. */
export const countToolCalls = (body: McpBody): number => {
  const messages = Array.isArray(body) ? body : [body];
  return Math.max(1, messages.filter(({ method }) => method === "tools/call").length);
};
