import { isUtf8 } from "node:buffer";
import type { OutgoingResponse } from "../../../platform/outgoing/request.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { isDeeperThan, type Json, maxJsonDepth } from "../../../values/json/json.ts";
import { jsonOrText, parseJson } from "../../../values/json/parse-json.ts";
import { findResponseName } from "../../../values/text/file-name.ts";
import { type SaveFile, saveContent } from "../save-content.ts";
import { isJsonType } from "./plan-body.ts";

const text =
  /^text\/|^application\/([a-z0-9.+_-]+\+)?(xml|yaml|x-yaml|javascript|x-www-form-urlencoded)\b/i;

/** Where a response comes from, and where its binary content is stored. */
export type ResponseSource = {
  readonly url: string;
  readonly toolId: string;
  readonly saveFile: SaveFile | undefined;
};

/**
 * Reads an API's response: parsed JSON, text, null for an empty body, and for anything else the reference of a file, or
 * `{contentType, bytes, base64}` where none can be stored. Throws an UpstreamError for JSON that is invalid or nested too deeply.
 */
export const readToolResponse = async (
  { headers, body }: OutgoingResponse,
  { url, toolId, saveFile }: ResponseSource,
): Promise<Json> => {
  const upstream = new URL(url).host;
  if (body.length === 0) return null;
  const contentType = headers["content-type"] ?? "";
  const isReadable = isUtf8(body);
  if (isJsonType(contentType)) {
    const parsed = parseJson(body.toString("utf8"));
    if (!parsed.ok)
      throw new UpstreamError(`${upstream} responded with broken JSON.`, { upstream });
    return checkDepth(parsed.value, upstream);
  }
  if (text.test(contentType)) return body.toString("utf8");
  if (contentType === "" && isReadable) {
    return checkDepth(jsonOrText(body.toString("utf8")), upstream);
  }
  if (saveFile) {
    const name = findResponseName(headers["content-disposition"], url);
    return saveContent(saveFile, { name, toolId, mediaType: contentType, content: body });
  }
  return { contentType, bytes: body.length, base64: body.toString("base64") };
};

const checkDepth = (value: Json, upstream: string): Json => {
  if (!isDeeperThan(value, maxJsonDepth)) return value;
  const detail = `${upstream} responded with JSON that is nested deeper than ${maxJsonDepth} levels.`;
  throw new UpstreamError(detail, { upstream });
};
