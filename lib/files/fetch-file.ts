import { OutgoingError } from "../platform/outgoing/outgoing-error.ts";
import { request } from "../platform/outgoing/request.ts";
import type { OutgoingOptions } from "../platform/outgoing/resolve-host.ts";
import { findResponseName, toFileName } from "../values/text/file-name.ts";
import { storedFileLimits } from "./limits.ts";

/** A file that was fetched, or why it was not, as the end of a sentence. */
export type FetchedFile = { readonly name: string; readonly content: Uint8Array } | string;

const tooLate = `could not be fetched: all files together may take ${storedFileLimits.fetchAllMs / 1_000} seconds`;

/** Fetches the file at an address, once. */
export const fetchFile = async (
  outgoing: OutgoingOptions,
  { url, maxBytes, signal }: { url: string; maxBytes: number; signal: AbortSignal },
): Promise<FetchedFile> => {
  const timeoutMs = storedFileLimits.fetchMs;
  try {
    const { status, headers, body } = await request({ url, maxBytes, timeoutMs, signal }, outgoing);
    if (status !== 200) return `could not be fetched: its server responded with ${status}`;
    if (body.byteLength === 0) return "is an empty file";
    const name = toFileName(findResponseName(headers["content-disposition"], url)) || "file";
    return { name, content: body };
  } catch (error) {
    if (signal.aborted) return tooLate;
    if (!(error instanceof OutgoingError)) throw error;
    return `could not be fetched: ${error.message}`;
  }
};
