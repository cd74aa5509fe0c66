import { UpstreamError } from "../../../lib/platform/outgoing/upstream-error.ts";
import type { SourceContext, SourceDocument } from "../../../lib/vendors/source.ts";

/**
 * Creates a context with a fetch that does not follow redirects and throws for status 400 and
 * above.
 */
export const plainContext = (): SourceContext => ({
  signal: new AbortController().signal,
  charge: () => {},
  fetch: async (url, init) => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.status < 400) return response;
    await response.body?.cancel();
    const { host } = new URL(url);
    throw new UpstreamError(`${host} failed`, { upstream: host, upstreamStatus: response.status });
  },
});

/** Reads all documents as pairs of name and text. */
export const readAll = async (
  documents: AsyncIterable<SourceDocument>,
): Promise<[fileName: string, text: string][]> => {
  const all: [string, string][] = [];
  for await (const { fileName, text } of documents) {
    let whole = "";
    for await (const piece of text) whole += piece;
    all.push([fileName, whole]);
  }
  return all;
};
