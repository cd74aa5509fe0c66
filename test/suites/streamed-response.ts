import * as z from "zod";
import { createResponseStream } from "../../infra/local/functions/response-stream.ts";
import { concatChunks } from "../../infra/local/gateway/stream-head.ts";

const Head = z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()) });

/** Calls a streaming function, waits until it ends, and returns its response's head and body. */
export const streamedResponse = async (
  handler: (...parameters: unknown[]) => unknown,
  event: unknown,
  context?: unknown,
) => {
  const parts: Buffer[] = [];
  const { stream, ended, consumed } = createResponseStream(
    (part) => {
      parts.push(concatChunks(part.chunks));
      consumed(part.size);
    },
    () => {},
  );
  await handler(event, stream, context);
  await ended;
  const [head = "", ...body] = Buffer.concat(parts).toString("utf8").split("\0".repeat(8));
  return { head: Head.parse(JSON.parse(head)), body: body.join("") };
};
