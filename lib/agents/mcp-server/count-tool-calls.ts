import type { McpBody } from "./schemas.ts";

/** Returns the number of requests that a message or a batch is for the rate limit: its `tools/call`, at least one. */
export const countToolCalls = (body: McpBody): number => {
  const messages = Array.isArray(body) ? body : [body];
  return Math.max(1, messages.filter(({ method }) => method === "tools/call").length);
};
