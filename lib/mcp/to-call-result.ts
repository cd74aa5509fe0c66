import type { CallToolResult } from "@modelcontextprotocol/server";
import type { LinkedFile } from "../files/output-files.ts";
import { formatValue, isJsonObject, type JsonObject } from "../values/json/json.ts";
import { cite } from "./cite.ts";
import type { Outcome } from "./offer.ts";

const maxContentBytes = 4 * 1024 * 1024;

/** Returns the result of a tool call with its citations and files; `hasLinks`: whether the client understands links to them. */
export const toCallResult = (outcome: Outcome, hasLinks: boolean): CallToolResult => {
  if (!outcome.ok) return failure(outcome.detail, outcome.value);
  const text = formatValue(outcome.value);
  const { sessionId } = outcome;
  if (Buffer.byteLength(text) > maxContentBytes) return failure("The response is too large.");
  const { links, meta } = cite(outcome.citations ?? [], hasLinks);
  const files = hasLinks ? (outcome.files ?? []) : [];
  return {
    ...((meta || sessionId) && { _meta: { ...meta, ...(sessionId && { sessionId }) } }),
    content: [{ type: "text", text }, ...files.map(toFileLink), ...links],
    ...(isJsonObject(outcome.value) && { structuredContent: { ...outcome.value } }),
  };
};

const toFileLink = ({ url: uri, name, mediaType: mimeType, bytes: size }: LinkedFile) => ({
  type: "resource_link" as const,
  uri,
  name,
  mimeType,
  size,
});

const failure = (text: string, value?: JsonObject): CallToolResult => ({
  content: [{ type: "text", text }],
  ...(value && { structuredContent: { ...value } }),
  isError: true,
});
