import { type FileReference, isFileName, readFileReference } from "../values/json/file-value.ts";
import { findResponseName, toFileName } from "../values/text/file-name.ts";
import { detectMediaType, headBytes, unknownType } from "./detect-media-type.ts";
import { guessMediaType, nameByType } from "./guess-media-type.ts";
import { isDataUrl, parseDataUrl } from "./parse-data-url.ts";

/** A file in a message of a client. */
export type SentFile = {
  /** JSON pointer to its part of the request. */
  readonly pointer: string;
  readonly reference: FileReference;
  /** Media type, or a range of them such as `image/*`; undefined where it is not known before the file is read. */
  readonly mediaType: string | undefined;
  /** Name for people; undefined for a stored file. */
  readonly name: string | undefined;
};

/** A file as protocols name it: one of `fileId`, `url` and `base64`, of which the last two may be a `data:` URL. */
export type GivenFile = {
  fileId?: string | null | undefined;
  url?: string | null | undefined;
  base64?: string | null | undefined;
  /** Empty for none. */
  name?: string | null | undefined;
  /** Media type or range by the client; empty for none. */
  mediaType?: string | null | undefined;
};

/** Characters of base64 from which the type of a file is found. */
const headCharacters = Math.ceil(headBytes / 3) * 4;

/**
 * Reads a file of a message, or returns why it is none. The type of content is found from its bytes, as when it is stored; that of
 * another file is the one that the client gives, or else that of its name.
 */
export const readSentFile = async (
  pointer: string,
  { fileId, url, base64, name: givenName, mediaType: givenType }: GivenFile,
): Promise<SentFile | string> => {
  const named = givenName || undefined;
  if (named !== undefined && !isFileName(named)) return "has a filename that is no name of a file";
  const data = [url, base64].find((text) => typeof text === "string" && isDataUrl(text));
  const parsed = data ? parseDataUrl(data) : undefined;
  if (data && !parsed) return "has a data: URL that cannot be read";
  const content = parsed?.base64 ?? base64 ?? undefined;
  const declared = toType(parsed?.mediaType) ?? toType(givenType);
  const name = named ?? (content === undefined ? undefined : nameByType(declared));
  const reference = readFileReference({
    fileId: fileId ?? undefined,
    url: parsed ? undefined : (url ?? undefined),
    base64: content,
    name,
  });
  if (typeof reference === "string") {
    if (content !== undefined) return "has content that is not base64";
    return url ? "has an address that is no URL" : "has no file";
  }
  if ("base64" in reference) {
    const head = Buffer.from(reference.base64.slice(0, headCharacters), "base64");
    if (head.byteLength === 0) return "is an empty file";
    const mediaType = await detectMediaType(head, reference.name);
    return { pointer, reference, mediaType, name: reference.name };
  }
  const shown = "url" in reference ? (name ?? nameByAddress(reference.url)) : undefined;
  const guessed = shown === undefined ? undefined : guessMediaType(shown);
  return { pointer, reference, mediaType: declared ?? guessed, name: shown };
};

const nameByAddress = (url: string): string =>
  toFileName(findResponseName(undefined, url)) || "file";

/** Returns a media type without its parameters; undefined for one that says nothing. */
const toType = (given: string | null | undefined): string | undefined => {
  const type = given?.split(";", 1)[0]?.trim().toLowerCase();
  return type?.includes("/") && type !== unknownType && type !== "*/*" ? type : undefined;
};
