import { isRecord } from "./json.ts";

/** A value that names a file: one that is stored, an address, or its content. */
export type FileReference =
  | { readonly fileId: string }
  | { readonly url: string; readonly name?: string }
  | { readonly base64: string; readonly name: string };

/** The whole of it is parsed where it is called. */
const urlForm = /^https?:\/\/\S/i;

/** Files that one input may have. */
export const maxFilesOfInput = 20;

const forms = 'must be a file: {"fileId"}, {"url"} or {"base64", "name"}';
const base64Form = /^[A-Za-z0-9+/_-]*={0,2}$/;
const nameForm = /^[^\p{Cc}/\\]{1,255}$/u;

/**
 * Reads how a value names a file. A file as expressions and records see it, `{id, name, mediaType, bytes}`, names itself. Returns
 * why it names none otherwise.
 */
export const readFileReference = (value: unknown): FileReference | string => {
  if (!isRecord(value)) return forms;
  const { id, fileId = id, url, base64, name } = value;
  const given = [fileId, url, base64].filter((member) => member !== undefined);
  if (given.length !== 1) return forms;
  if (typeof fileId === "string") return { fileId };
  if (typeof url !== "string" && typeof base64 !== "string") return forms;
  const isNamed = name !== undefined && name !== null;
  if (isNamed && !isFileName(name)) return 'has a "name" that is not one of a file';
  if (typeof url === "string") {
    if (!urlForm.test(url)) return 'has a "url" that is no URL';
    return isNamed ? { url, name } : { url };
  }
  if (typeof base64 !== "string") return forms;
  if (!base64Form.test(base64)) return 'has a "base64" that is not base64';
  return { base64, name: isNamed ? name : "file" };
};

/** Returns whether a value is a name of a file, without a path. */
export const isFileName = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && value.trim() !== "" && nameForm.test(value);

/** Returns why a value does not name the files of an input; undefined when it does. */
export const findNoFile = (
  value: unknown,
  { multiple }: { multiple?: boolean | null | undefined },
): string | undefined => {
  if (!Array.isArray(value)) return toDetail(readFileReference(value));
  if (!multiple) return `${forms}, not a list`;
  if (value.length > maxFilesOfInput) return `must have at most ${maxFilesOfInput} files`;
  for (const [at, file] of value.entries()) {
    const detail = toDetail(readFileReference(file));
    if (detail !== undefined) return `has a file ${at} that ${detail}`;
  }
  return undefined;
};

const toDetail = (read: FileReference | string): string | undefined =>
  typeof read === "string" ? read : undefined;

/** Returns whether a media type is one that an input accepts; any is accepted where it names none. */
export const acceptsType = (
  accept: readonly string[] | null | undefined,
  mediaType: string,
): boolean => {
  if (!accept?.length) return true;
  const [type] = mediaType.split("/");
  return accept.some((pattern) => {
    const wanted = pattern.toLowerCase();
    return wanted === "*/*" || wanted === mediaType || wanted === `${type}/*`;
  });
};

/**
 * Returns whether an input may accept a file of which at most a media type or a range of them, such as `image/*`, is known before
 * it is read.
 */
export const couldAccept = (
  accept: readonly string[] | null | undefined,
  mediaType: string | undefined,
): boolean => {
  if (mediaType === undefined) return true;
  if (!mediaType.endsWith("/*")) return acceptsType(accept, mediaType);
  const [type = ""] = mediaType.split("/");
  if (!accept?.length || accept.includes("*/*")) return true;
  return accept.some((pattern) => pattern.toLowerCase().startsWith(`${type}/`));
};
