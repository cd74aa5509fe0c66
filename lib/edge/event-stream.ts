import type { Writable } from "node:stream";
import type { Head } from "./respond.ts";

/** Starts a response; its status and headers are final from then on. */
export type StartResponse = (head: Head) => Writable;

/** Server-sent events to a caller. */
export type EventStream = {
  /** Sends an event, numbered from 1. The first one starts the response. */
  send: (event: string, data: unknown) => void;
  isOpen: () => boolean;
  end: () => void;
};

/** Proxies drop a silent connection; a comment keeps it. */
const heartbeatMs = 10_000;

/** Creates a stream of server-sent events (WHATWG HTML, 9.2). Ignores callers that have disconnected. */
export const eventStream = (
  startResponse: StartResponse,
  headers: () => Record<string, string>,
): EventStream => {
  let stream: Writable | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let sent = 0;
  const open = (): Writable => {
    const opened = startResponse({
      status: 200,
      headers: { ...headers(), "Content-Type": "text/event-stream; charset=utf-8" },
    });
    opened.on("error", () => clearInterval(heartbeat));
    heartbeat = setInterval(() => opened.write(": still here\n\n"), heartbeatMs).unref();
    return opened;
  };
  return {
    send: (event, data) => {
      stream ??= open();
      sent += 1;
      stream.write(`id: ${sent}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    isOpen: () => stream !== undefined,
    end: () => {
      clearInterval(heartbeat);
      stream?.end();
    },
  };
};
