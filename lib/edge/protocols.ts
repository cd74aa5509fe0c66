import type { Problem } from "../platform/http/problems.ts";
import { rpcErrorResponse, statusErrorResponse } from "./a2a-error.ts";
import type { EventStyle } from "./event-stream.ts";
import { OpenAiError, openAiErrorResponse } from "./openai-error.ts";
import type { HttpResponse } from "./respond.ts";

/** Format of a protocol's errors and streams. */
type ProtocolForm = {
  toErrorResponse: (problem: Problem, requestId: string) => HttpResponse;
  /** Returns the data of the event that ends a stream, from the body of the error's response. */
  toErrorEvent: (body: unknown) => unknown;
  eventStyle: EventStyle;
  /** Media type of responses with JSON. */
  mediaType: string;
};

/** Protocols of other clients than the API's own: OpenAI's, and the two bindings of A2A over HTTP. */
export const protocols = {
  openai: {
    toErrorResponse: openAiErrorResponse,
    toErrorEvent: (body) => ({ type: "error", ...OpenAiError.parse(body) }),
    eventStyle: "openai",
    mediaType: "application/json",
  },
  "a2a-http": {
    toErrorResponse: statusErrorResponse,
    toErrorEvent: (body) => body,
    eventStyle: "plain",
    mediaType: "application/a2a+json",
  },
  "a2a-json-rpc": {
    toErrorResponse: rpcErrorResponse,
    toErrorEvent: (body) => body,
    eventStyle: "plain",
    mediaType: "application/json",
  },
} as const satisfies Readonly<Record<string, ProtocolForm>>;

/** Name of a protocol. */
export type Protocol = keyof typeof protocols;
