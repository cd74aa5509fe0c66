import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import {
  isDeeperThan,
  isRecord,
  type Json,
  type JsonObject,
  maxJsonDepth,
} from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { type FoundContent, type SaveFile, saveContent } from "../save-content.ts";
import { ToolError } from "../tool.ts";

const maxErrorLength = 2_000;
/** Files of one result. More parts have their content as base64. */
const maxFiles = 20;

/** The server and the tool of a result, and where binary parts are stored. */
export type ResultSource = {
  readonly upstream: string;
  readonly toolId: string;
  readonly saveFile: SaveFile | undefined;
};

/** Stores a binary part; returns the reference of its file. */
type KeepPart = (part: Omit<FoundContent, "toolId">) => Promise<JsonObject>;

/**
 * Returns the result of a call: the structured content; else the text, parsed if it is a JSON object or array; else,
 * with other content such as images, an array of the parts. Binary parts refer to files, or have the content as base64 where
 * none can be stored. Throws a ToolError with the text of an error result.
 */
export const readResult = async (
  result: CallToolResult,
  { upstream, toolId, saveFile }: ResultSource,
): Promise<Json> => {
  const { content, structuredContent, isError } = result;
  if (isError === true) {
    const text = listTexts(content).join("\n").slice(0, maxErrorLength);
    throw new ToolError(text === "" ? "The tool failed without a message." : text);
  }
  const keep: KeepPart | undefined =
    saveFile && ((part) => saveContent(saveFile, { toolId, ...part }));
  const value =
    structuredContent === undefined ? await readContent(content, keep) : asJson(structuredContent);
  if (isDeeperThan(value, maxJsonDepth)) {
    throw new UpstreamError(`${upstream} responded with JSON nested too deeply.`, { upstream });
  }
  return value;
};

const asJson = (value: unknown): Json => {
  const parsed = parseJson(JSON.stringify(value));
  return parsed.ok ? parsed.value : null;
};

const readContent = async (
  content: readonly ContentBlock[],
  keep: KeepPart | undefined,
): Promise<Json> => {
  const texts = listTexts(content);
  if (texts.length < content.length) {
    const binary = content.filter(isBinary).slice(0, maxFiles);
    return Promise.all(
      content.map((part) => readPart(part, binary.includes(part) ? keep : undefined)),
    );
  }
  const text = texts.join("\n");
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return parsed?.ok && (Array.isArray(parsed.value) || isRecord(parsed.value))
    ? parsed.value
    : text;
};

const listTexts = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : []));

const isBinary = (part: ContentBlock): boolean =>
  part.type === "image" ||
  part.type === "audio" ||
  (part.type === "resource" && "blob" in part.resource);

const readPart = async (part: ContentBlock, keep: KeepPart | undefined): Promise<Json> => {
  switch (part.type) {
    case "text":
      return { type: part.type, text: part.text };
    case "image":
    case "audio": {
      const { type, mimeType, data } = part;
      if (!keep) return { type, mimeType, base64: data };
      return { type, ...(await keep({ mediaType: mimeType, content: fromBase64(data) })) };
    }
    case "resource": {
      const { resource, type } = part;
      const common = { type, uri: resource.uri, mimeType: resource.mimeType ?? null };
      if ("text" in resource) return { ...common, text: resource.text };
      if (!keep) return { ...common, base64: resource.blob };
      const { uri: name, mimeType: mediaType = "", blob } = resource;
      return { ...common, ...(await keep({ name, mediaType, content: fromBase64(blob) })) };
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

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");
