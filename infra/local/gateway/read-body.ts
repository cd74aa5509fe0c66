import type { IncomingMessage } from "node:http";

/** API Gateway's limit on a request's body, in bytes. */
export const largestBody = 10 * 1_048_576;

/** Bytes of an oversized body that are read and discarded. */
const largestDrain = 10 * largestBody;

/**
 * Reads a request body; undefined as soon as it exceeds the limit. The rest is read and discarded, and the connection
 * stays open: closing it would reset it while the client sends, which would then not see the response. Rejects when the
 * client disconnects.
 */
export const readBody = (request: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers["content-length"] ?? 0) > largestBody) resolve(undefined);
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else resolve(undefined);
      if (size > largestDrain) request.destroy();
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(
        chunks.length === 1 && only ? only : Buffer.concat(chunks, Math.min(size, largestBody)),
      );
    });
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(new Error("the client disconnected"));
    });
  });
