import { isUtf8 } from "node:buffer";
import type { OutgoingOptions, OutgoingRequest } from "../../../platform/outgoing/request.ts";
import { isRecord, type Json } from "../../../values/json/json.ts";
import { jsonOrText, parseJson } from "../../../values/json/parse-json.ts";
import { findResponseName } from "../../../values/text/file-name.ts";
import { findMediaKind, isTextType } from "../../models/file-kinds.ts";
import { type SaveFile, saveContent } from "../save-content.ts";
import { sendCall } from "../send-call.ts";
import { ToolError } from "../tool.ts";

/** Where binary bodies are stored. */
type BodyStore = { readonly toolId: string; readonly saveFile: SaveFile | undefined };

/**
 * Calls a server; returns `{status, headers, body}` with the body's JSON value, the reference of a file with a binary body if
 * it can be stored, else the body's text.
 */
export const callHttp = async (
  call: OutgoingRequest,
  options: OutgoingOptions,
  { toolId, saveFile }: BodyStore,
): Promise<Json> => {
  const { status, headers, body } = await sendCall(call, options);
  const mediaType = headers["content-type"] ?? "";
  if (!saveFile || !isBinary(mediaType, body)) {
    return { status, headers, body: jsonOrText(body.toString("utf8")) };
  }
  const name = findResponseName(headers["content-disposition"], call.url);
  const file = await saveContent(saveFile, { name, toolId, mediaType, content: body });
  return { status, headers, body: file };
};

const isBinary = (mediaType: string, body: Buffer): boolean =>
  body.length > 0 &&
  !isTextType(mediaType) &&
  (!isUtf8(body) || findMediaKind(mediaType) !== undefined);

/** Parses headers from a parameter that is a JSON object of strings. */
export const readHeaders = (text: string | undefined): { [name: string]: string } => {
  if (!text) return {};
  const parsed = parseJson(text);
  const headers: [string, string][] = [];
  const fault = new ToolError('"headers" must be a JSON object with string values.');
  if (!parsed.ok || !isRecord(parsed.value)) throw fault;
  for (const [name, value] of Object.entries(parsed.value)) {
    if (typeof value !== "string") throw fault;
    headers.push([name, value]);
  }
  return Object.fromEntries(headers);
};
