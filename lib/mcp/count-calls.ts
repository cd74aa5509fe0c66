import type { McpBody } from "./schemas.ts";

const counted: ReadonlySet<unknown> = new Set(["tools/call", "resources/read"]);

/** Counts the requests of a message or batch for the rate limit: its calls of tools and its reads of files, at least one. */
export const countCalls = (body: McpBody): number => {
  const messages = Array.isArray(body) ? body : [body];
  return Math.max(1, messages.filter(({ method }) => counted.has(method)).length);
};
