import type { IncomingMessage, ServerResponse } from "node:http";

/** API Gateway's limit on a request's body, in bytes. */
export const largestBody = 10 * 1_048_576;

/** Bytes of an oversized body that are read and discarded, so that the client can read the response. */
const largestDrain = 4 * largestBody;

/** Reads a request body; undefined when it exceeds the limit. Rejects when the client disconnects. */
export const readBody = (
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (): void => {
      response.setHeader("Connection", "close");
      resolve(undefined);
    };
    if (Number(request.headers["content-length"] ?? 0) > largestBody) refuse();
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else if (size - chunk.length <= largestBody) refuse();
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
