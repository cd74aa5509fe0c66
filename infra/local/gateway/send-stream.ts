import type { ServerResponse } from "node:http";
import type { AnswerReader, Outcome } from "../functions/function-call.ts";
import type { Part } from "../functions/response-stream.ts";
import { bytesOf, headReader } from "./stream-head.ts";

type StreamOptions = {
  response: ServerResponse;
  /** Names and values in turn, sent beside the function's own. */
  headers: () => readonly string[];
  /** How long the answer may take. */
  milliseconds: number;
  /** Calls the function; resolves when the call is over, which may be long after its answer. */
  start: (reader: AnswerReader) => Promise<Outcome>;
};

/** How a streamed answer went: on its way to the client, or without a head that could be sent. */
export type StreamResult = "sent" | "broken" | "late";

/**
 * Passes a function's streamed answer on as it comes, and resolves when there is no more of it to come. A
 * function that fails after its head has the connection cut. One whose client has gone works on, and what it
 * writes is dropped.
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
    const fail = (result: "broken" | "late"): void => {
      if (isOver) return;
      const hasBegun = response.headersSent;
      if (hasBegun) response.destroy();
      end(hasBegun ? "sent" : result);
    };
    const timer = setTimeout(fail, milliseconds, "late");
    const release = (taken: () => void): void => {
      if (unread.delete(taken)) taken();
    };
    response.once("close", () => {
      if (!isOver) end("sent");
      for (const taken of unread) release(taken);
    });

    const body = (part: Part): Buffer | undefined => {
      const bytes = bytesOf(part.chunks);
      if (response.headersSent) return bytes;
      const head = readHead(bytes);
      if (head === "broken" || (head === undefined && part.isLast)) {
        fail("broken");
        return undefined;
      }
      if (head) response.writeHead(head.status, [...head.headers, ...headers()]);
      return head?.rest;
    };
    const read: AnswerReader["read"] = (part, taken) => {
      const bytes = isOver ? undefined : body(part);
      if (bytes === undefined) {
        taken();
      } else if (part.isLast) {
        response.end(bytes);
        end("sent");
      } else {
        unread.add(taken);
        response.write(bytes, () => release(taken));
      }
    };
    start({ read, cut: () => fail("broken") }).then(
      () => fail("broken"),
      () => fail("broken"),
    );
  });
