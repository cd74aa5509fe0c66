import type { Headers } from "./request.ts";

/** A request to an inbound address, as it came. */
export type InboundRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The raw bytes: what signatures are made of. */
  readonly body: Uint8Array;
};

/** What is answered at once, word for word. */
export type InboundAnswer = {
  readonly status: 200 | 204 | 403;
  readonly contentType?: string;
  readonly body?: string;
};
