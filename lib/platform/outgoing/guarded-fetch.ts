import type { IncomingMessage } from "node:http";
import { joinHeaders, openRequest, type PreparedRequest, readBody } from "./open-request.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { maxCalledUrlLength, parseUrl } from "./parse-url.ts";
import { cleanHeaders } from "./request-headers.ts";
import { type OutgoingOptions, resolveHost } from "./resolve-host.ts";
import { untilAborted } from "./until-aborted.ts";

/** A `fetch` for third-party code. A signal counts only as part of `init`. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Addresses that may be called, and the maximum size of a response body. */
export type GuardedOptions = OutgoingOptions & {
  /** In bytes, or a function of the response headers. Default 64 MiB. */
  readonly maxBytes?: number | ((headers: Headers) => number);
};

const defaultMaxBytes = 64 * 1024 * 1024;
const withoutBody = new Set([204, 205, 304]);

/**
 * Creates a `fetch` that calls public addresses only: the host is resolved once and connected to at the address
 * that was checked. Streams the body and does not follow redirects. Failures, also of the body, are OutgoingErrors;
 * when the signal is aborted the socket closes and its reason is thrown.
 */
export const createGuardedFetch =
  (options: GuardedOptions = {}): GuardedFetch =>
  async (input, init) => {
    // Not the request's own signal, which follows this one only as long as the request is not collected.
    const signal = init?.signal ?? new AbortController().signal;
    signal.throwIfAborted();
    const request = toRequest(input, init);
    const url = parseUrl(request.url, undefined, options, maxCalledUrlLength);
    const body = new Uint8Array(await request.arrayBuffer());
    const prepared = {
      url,
      method: request.method,
      headers: cleanHeaders(Object.fromEntries(request.headers)),
      body: body.length > 0 ? body : undefined,
    };
    return openGuarded(prepared, signal, options);
  };

/** Sends one request, checked and pinned like those of `createGuardedFetch`. */
export const openGuarded = async (
  request: PreparedRequest,
  signal: AbortSignal,
  options: GuardedOptions,
): Promise<Response> => {
  try {
    const addresses = await untilAborted(signal, resolveHost(request.url, options));
    const message = await openRequest(request, addresses, signal);
    return toResponse(message, request.url, signal, options.maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

const toRequest = (input: string | URL | Request, init: RequestInit | undefined): Request => {
  try {
    return new Request(input, { ...init, signal: null });
  } catch {
    // The error quotes the invalid value, which may be a credential.
    throw new OutgoingError("bad-request", "The request is not valid.");
  }
};

const toResponse = (
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal,
  maxBytes: GuardedOptions["maxBytes"] = defaultMaxBytes,
): Response => {
  const { statusCode: status = 0 } = message;
  const headers = new Headers(joinHeaders(message));
  if (status < 200 || status > 599 || withoutBody.has(status)) message.destroy();
  if (status < 200 || status > 599) {
    throw new OutgoingError("connection-failed", `${url.host} sent no valid status.`, url.host);
  }
  if (withoutBody.has(status)) return new Response(null, { status, headers });
  const limit = typeof maxBytes === "number" ? maxBytes : maxBytes(headers);
  return new Response(createBodyStream(message, url, signal, limit), { status, headers });
};

const createBodyStream = (
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal,
  maxBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const bytes = readBody(message, url, maxBytes);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        }
      },
      cancel: () => {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
};
