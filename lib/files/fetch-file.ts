import { OutgoingError } from "../platform/outgoing/outgoing-error.ts";
import { request } from "../platform/outgoing/request.ts";
import type { OutgoingOptions } from "../platform/outgoing/resolve-host.ts";
import { storedFileLimits } from "./limits.ts";

/** A file that was fetched, or why it was not, as the end of a sentence. */
export type FetchedFile = { readonly name: string; readonly content: Uint8Array } | string;

const maxLength = storedFileLimits.nameLength;

/** Fetches the file at an address, once. */
export const fetchFile = async (
  outgoing: OutgoingOptions,
  { url, maxBytes }: { url: string; maxBytes: number },
): Promise<FetchedFile> => {
  const timeoutMs = storedFileLimits.fetchMs;
  try {
    const { status, headers, body } = await request({ url, maxBytes, timeoutMs }, outgoing);
    if (status !== 200) return `could not be fetched: its server responded with ${status}`;
    if (body.byteLength === 0) return "is an empty file";
    return { name: nameFile(headers["content-disposition"], url), content: body };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return `could not be fetched: ${error.message}`;
  }
};

/** Returns the name of a file that a server sends: the one that it gives, or else the last part of the path. */
export const nameFile = (disposition: string | undefined, url: string): string => {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition ?? "")?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? "")?.[1];
  const last = new URL(url).pathname.split("/").at(-1);
  return cleanFileName((extended && decode(extended)) || plain || (last && decode(last)) || "");
};

/** Returns the name of a file without folders and control characters; `file` for none. */
export const cleanFileName = (name: string): string => {
  const clean = name
    .split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/\p{Cc}/gu, "")
    .trim();
  return clean ? clean.slice(0, maxLength).toWellFormed() : "file";
};

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
