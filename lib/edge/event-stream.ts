import { once } from "node:events";
import type { Writable } from "node:stream";
import { untilAborted } from "../platform/outgoing/until-aborted.ts";
import type { Head } from "./respond.ts";

/** Starts a response; its status and headers are final from then on. */
export type StartResponse = (head: Head) => Writable;

/** Receives events for a caller. */
export type EventSink = {
  /** Sends an event, numbered from 1. The first one starts the response. */
  send: (event: string, data: unknown) => void;
  isOpen: () => boolean;
  /** Returns whether the caller has closed the stream, where that is known. */
  hasLeft: () => boolean;
  end: () => void;
};

/** Server-sent events to a caller. */
export type EventStream = EventSink & {
  /** Starts the response with a comment, before there is an event. */
  open: () => void;
  /**
   * Waits until the caller has read what was sent, but for what the connection buffers, or has left. Returns false when the signal
   * is aborted before.
   */
  drain: (signal: AbortSignal) => Promise<boolean>;
  /** Returns the number of events that were sent. */
  count: () => number;
};

/** Format of a stream: events with ids, without ids, or as OpenAI does, without ids and with an end of its own. */
export type EventStyle = "numbered" | "plain" | "openai";

/** Proxies drop a silent connection; a comment keeps it. */
const comment = ": still here\n\n";
const heartbeatMs = 10_000;

/**
 * Creates a stream of server-sent events (WHATWG HTML, 9.2). Ignores callers that have disconnected. An event without
 * a name has its data only.
 */
export const eventStream = (
  startResponse: StartResponse,
  headers: () => Record<string, string>,
  style: EventStyle = "numbered",
): EventStream => {
  let stream: Writable | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;
  let sent = 0;
  const start = (): Writable => {
    const opened = startResponse({
      status: 200,
      headers: {
        ...headers(),
        "Content-Type": "text/event-stream; charset=utf-8",
        // Proxies that follow nginx pass on events as they come.
        "X-Accel-Buffering": "no",
      },
    });
    opened.on("error", () => clearInterval(heartbeat));
    heartbeat = setInterval(() => opened.write(comment), heartbeatMs).unref();
    return opened;
  };
  return {
    send: (event, data) => {
      stream ??= start();
      sent += 1;
      const id = style === "numbered" ? `id: ${sent}\n` : "";
      const name = event === "" ? "" : `event: ${event}\n`;
      stream.write(`${id}${name}data: ${JSON.stringify(data)}\n\n`);
    },
    open: () => {
      if (stream) return;
      stream = start();
      stream.write(comment);
    },
    drain: async (signal) => {
      if (!stream?.writableNeedDrain) return true;
      reading ??= untilRead(stream).finally(() => {
        reading = undefined;
      });
      const isRead = reading.then(() => true);
      return untilAborted(signal, isRead).catch(() => false);
    },
    count: () => sent,
    isOpen: () => stream !== undefined,
    hasLeft: () => stream?.destroyed ?? false,
    end: () => {
      clearInterval(heartbeat);
      stream?.end(style === "openai" ? "data: [DONE]\n\n" : undefined);
    },
  };
};

/** Resolves once a stream takes more, or is closed. */
const untilRead = async (stream: Writable): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  const ends = ["drain", "close"].map((event) => once(stream, event, { signal }));
  await Promise.race(ends).catch(() => undefined);
  over.abort();
};
