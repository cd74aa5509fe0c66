import type { Headers } from "./request.ts";

/** A request to an inbound address. */
export type InboundRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The raw bytes, which signatures cover. */
  readonly body: Uint8Array;
};

/** The immediate response to an inbound request. */
export type InboundResponse = {
  readonly status: 200 | 204;
  readonly contentType?: string;
  readonly body?: string;
};
