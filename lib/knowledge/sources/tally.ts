import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { type Chunking, chunkCount } from "./chunk-count.ts";
import type { AssetEstimate, DocumentEstimate } from "./schemas.ts";

const maxDocuments = 20_000;
const maxFileNameLength = 200;

/** Totals so far. */
export type Totals = Omit<AssetEstimate, "documents" | "estimatedCost">;

/** Creates a tally of documents, which keeps names and counts only. */
export const createTally = (chunking: Chunking) => {
  const documents: DocumentEstimate[] = [];
  let [tokens, chunks, repeated, bytes] = [0, 0, 0, 0];
  const push = (entry: DocumentEstimate): boolean => {
    bytes += responseBytes(entry);
    if (documents.length === maxDocuments || bytes > maxResponseBytes) return false;
    documents.push(entry);
    tokens += entry.tokenCount;
    chunks += entry.chunkCount;
    return true;
  };
  return {
    /** Returns false, without adding the document, when the response would be too large. */
    add: (fileName: string, tokenCount: number): boolean => {
      const count = chunkCount(tokenCount, chunking);
      const entry = { fileName: shorten(fileName), tokenCount, chunkCount: count };
      if (!push(entry)) return false;
      repeated += Math.max(0, count - 1) * chunking.overlap;
      return true;
    },
    /** Like `add`, for an indexed document with the tokens of its chunks. */
    addIndexed: (fileName: string, counts: { tokens: number; chunks: number }): boolean =>
      push({
        fileName: shorten(fileName),
        tokenCount: counts.tokens,
        chunkCount: counts.chunks,
      }),
    totals: (): Totals => ({
      tokenCount: tokens,
      chunkCount: chunks,
      documentCount: documents.length,
    }),
    /** Returns the tokens of all chunks, which repeat those that they overlap by. */
    chunkTokens: (): number => tokens + repeated,
    documents,
  };
};
export type Tally = ReturnType<typeof createTally>;

/** Cuts a name between characters. Returns a copy, because a slice keeps the whole string in memory. */
const shorten = (name: string): string => {
  if (name.length <= maxFileNameLength) return name;
  const part = [...name.slice(0, maxFileNameLength)];
  if (/[\ud800-\udbff]$/.test(part.at(-1) ?? "")) part.pop();
  return part.join("");
};
