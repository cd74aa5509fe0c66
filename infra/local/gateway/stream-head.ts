import type { Chunk } from "../functions/response-stream.ts";
import { type ProxyResponse, readHead } from "./proxy-response.ts";

/** The head of a streamed response with the bytes that followed it. */
export type StreamHead = Omit<ProxyResponse, "body"> & { rest: Buffer };

/** JSON, then eight zero bytes within the first 16 KB (API Gateway Developer Guide, "Response transfer mode for Lambda"). */
const headEnd = Buffer.alloc(8);
const largestHead = 16_384;

/** Creates a parser of the head: returns undefined until it is complete, "broken" when it is malformed. */
export const headReader = (): ((bytes: Buffer) => StreamHead | "broken" | undefined) => {
  let collected: Buffer = Buffer.alloc(0);
  return (bytes) => {
    collected = collected.length === 0 ? bytes : Buffer.concat([collected, bytes]);
    const end = collected.indexOf(headEnd);
    if (end === -1) return collected.length > largestHead ? "broken" : undefined;
    const head = end > largestHead ? undefined : readHead(collected.toString("utf8", 0, end));
    return head ? { ...head, rest: collected.subarray(end + headEnd.length) } : "broken";
  };
};

/** Concatenates chunks as bytes. */
export const concatChunks = (chunks: readonly Chunk[]): Buffer => {
  const [only = "", ...others] = chunks;
  return others.length === 0 ? toBytes(only) : Buffer.concat(chunks.map(toBytes));
};

const toBytes = (chunk: Chunk): Buffer =>
  typeof chunk === "string"
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
