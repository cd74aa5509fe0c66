import type { ServerResponse } from "node:http";
import type { Outcome, ResponseReader } from "../functions/function-call.ts";
import type { Part } from "../functions/response-stream.ts";
import { concatChunks, headReader } from "./stream-head.ts";

type StreamOptions = {
  response: ServerResponse;
  /** Alternating names and values, in addition to the function's headers. */
  headers: () => readonly string[];
  /** Timeout of the integration. */
  milliseconds: number;
  /** Invokes the function; resolves when the invocation is complete, possibly long after the response. */
  start: (reader: ResponseReader) => Promise<Outcome>;
};

/** The result of a streamed response: `sent`, or without a valid head (`broken`) in time (`late`), or `throttled`. */
export type StreamResult = "sent" | "broken" | "late" | "throttled";

/**
 * Forwards a function's streamed response and resolves when it has ended. A failure after the head closes the
 * connection. When the client disconnects the function continues, and its writes are dropped.
 */
export const sendStream = ({
  response,
  headers,
  milliseconds,
  start,
}: StreamOptions): Promise<StreamResult> =>
  new Promise((resolve) => {
    const readHead = headReader();
    const unread = new Set<() => void>();
    let isOver = false;

    const end = (result: StreamResult): void => {
      isOver = true;
      clearTimeout(timer);
      resolve(result);
    };
    const fail = (result: Exclude<StreamResult, "sent">): void => {
      if (isOver) return;
      const isStarted = response.headersSent;
      if (isStarted) response.destroy();
      end(isStarted ? "sent" : result);
    };
    const timer = setTimeout(fail, milliseconds, "late");
    const release = (consumed: () => void): void => {
      if (unread.delete(consumed)) consumed();
    };
    response.once("close", () => {
      if (!isOver) end("sent");
      for (const consumed of unread) release(consumed);
    });

    const body = (part: Part): Buffer | undefined => {
      const bytes = concatChunks(part.chunks);
      if (response.headersSent) return bytes;
      const head = readHead(bytes);
      if (head === "broken" || (head === undefined && part.isLast)) {
        fail("broken");
        return undefined;
      }
      if (head) response.writeHead(head.status, [...head.headers, ...headers()]);
      return head?.rest;
    };
    const read: ResponseReader["read"] = (part, consumed) => {
      const bytes = isOver ? undefined : body(part);
      if (bytes === undefined) {
        consumed();
      } else if (part.isLast) {
        response.end(bytes);
        end("sent");
      } else {
        unread.add(consumed);
        response.write(bytes, () => release(consumed));
      }
    };
    start({ read, cut: () => fail("broken") }).then(
      ({ type }) => fail(type === "throttled" ? type : "broken"),
      () => fail("broken"),
    );
  });
