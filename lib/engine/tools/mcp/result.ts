import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { isDeeperThan, isRecord, type Json, maxJsonDepth } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { ToolError } from "../tool.ts";

const maxErrorLength = 2_000;

/**
 * Returns the result of a call: the structured content; else the text, parsed if it is a JSON object or array; else,
 * with other content such as images, an array of the parts. Throws a ToolError with the text of an error result.
 */
export const readResult = (result: CallToolResult, upstream: string): Json => {
  const { content, structuredContent, isError } = result;
  if (isError === true) {
    const text = listTexts(content).join("\n").slice(0, maxErrorLength);
    throw new ToolError(text === "" ? "The tool failed without a message." : text);
  }
  const value = structuredContent === undefined ? readContent(content) : asJson(structuredContent);
  if (isDeeperThan(value, maxJsonDepth)) {
    throw new UpstreamError(`${upstream} responded with JSON nested too deeply.`, { upstream });
  }
  return value;
};

const asJson = (value: unknown): Json => {
  const parsed = parseJson(JSON.stringify(value));
  return parsed.ok ? parsed.value : null;
};

const readContent = (content: readonly ContentBlock[]): Json => {
  const texts = listTexts(content);
  if (texts.length < content.length) return content.map(readPart);
  const text = texts.join("\n");
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return parsed?.ok && (Array.isArray(parsed.value) || isRecord(parsed.value))
    ? parsed.value
    : text;
};

const listTexts = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : []));

const readPart = (part: ContentBlock): Json => {
  switch (part.type) {
    case "text":
      return { type: part.type, text: part.text };
    case "image":
    case "audio":
      return { type: part.type, mimeType: part.mimeType, base64: part.data };
    case "resource": {
      const { resource, type } = part;
      const common = { type, uri: resource.uri, mimeType: resource.mimeType ?? null };
      return "text" in resource
        ? { ...common, text: resource.text }
        : { ...common, base64: resource.blob };
    }
    case "resource_link":
      return {
        type: part.type,
        uri: part.uri,
        name: part.name,
        description: part.description ?? null,
        mimeType: part.mimeType ?? null,
      };
  }
};
