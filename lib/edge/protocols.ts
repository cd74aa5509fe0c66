import type { Problem } from "../platform/http/problems.ts";
import { rpcErrorResponse, statusErrorResponse } from "./a2a-error.ts";
import type { EventStyle } from "./event-stream.ts";
import { OpenAiError, openAiErrorResponse } from "./openai-error.ts";
import type { FailedRequest, Protocol } from "./protocol.ts";
import type { HttpResponse } from "./respond.ts";

/** Format of a protocol's errors and streams. */
type ProtocolForm = {
  toErrorResponse: (problem: Problem, failed: FailedRequest) => HttpResponse;
  /** Returns the data of the event that ends a stream, from the body of the error's response. */
  toErrorEvent: (body: unknown) => unknown;
  eventStyle: EventStyle;
};

/** Formats of the protocols. */
export const protocols: Readonly<Record<Protocol, ProtocolForm>> = {
  openai: {
    toErrorResponse: (problem, { requestId }) => openAiErrorResponse(problem, requestId),
    toErrorEvent: (body) => ({ type: "error", ...OpenAiError.parse(body) }),
    eventStyle: "openai",
  },
  "a2a-http": {
    toErrorResponse: statusErrorResponse,
    toErrorEvent: (body) => body,
    eventStyle: "plain",
  },
  "a2a-json-rpc": {
    toErrorResponse: rpcErrorResponse,
    toErrorEvent: (body) => body,
    eventStyle: "plain",
  },
};
