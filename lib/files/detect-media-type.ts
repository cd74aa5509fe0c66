import { isUtf16 } from "../knowledge/files/decode-file-text.ts";

/** Types of texts, by the extension of a name: their content does not tell them apart. */
export const textTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  xml: "application/xml",
  svg: "image/svg+xml",
  json: "application/json",
  jsonl: "application/jsonl",
  ndjson: "application/jsonl",
  yaml: "application/yaml",
  yml: "application/yaml",
  ics: "text/calendar",
  vtt: "text/vtt",
};

/** Type of content of no known type. */
export const unknownType = "application/octet-stream";
const xmlType = "application/xml";

/** Bytes of the beginning of a file by which its type is found. */
export const headBytes = 64 * 1024;

/**
 * Returns the media type of a file, found from its first bytes. Which kind of text a text is, its name says.
 * `application/octet-stream` for content of no known type.
 */
export const detectMediaType = async (head: Uint8Array, name: string): Promise<string> => {
  if (!isUtf16(head)) {
    const { fileTypeFromBuffer } = await import("file-type");
    // An incomplete or broken file of a known type may be unreadable.
    const found = await fileTypeFromBuffer(head.subarray(0, headBytes)).catch(() => undefined);
    if (found && found.mime !== xmlType) return found.mime;
    if (!isUtf8(head)) return unknownType;
  }
  const extension = findExtension(name);
  return Object.hasOwn(textTypes, extension) ? (textTypes[extension] ?? "") : "text/plain";
};

/** Returns the extension of a name in lower case; "" for none. */
export const findExtension = (name: string): string =>
  /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

const isUtf8 = (head: Uint8Array): boolean => {
  const beginning = head.subarray(0, headBytes);
  if (beginning.includes(0)) return false;
  try {
    // The end may be within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return true;
  } catch {
    return false;
  }
};
