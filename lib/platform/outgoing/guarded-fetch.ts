import type { IncomingMessage } from "node:http";
import { OutgoingError } from "./outgoing-error.ts";
import { maxCalledUrlLength, parseUrl } from "./parse-url.ts";
import { cleanHeaders } from "./request-headers.ts";
import { type OutgoingOptions, resolveHost } from "./resolve-host.ts";
import { joinHeaders, openOnce, readBody } from "./send-once.ts";
import { untilAborted } from "./until-aborted.ts";

/** A `fetch` for code that is not ours. A signal counts only as part of `init`. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const defaultMaxBytes = 64 * 1024 * 1024;
const withoutBody = new Set([204, 205, 304]);

/**
 * A `fetch` that calls only where `request` would: the host is resolved once, must be public, and is
 * connected to by that very address. The body streams, at most `maxBytes` (default 64 MiB) of it. A
 * redirect is an answer like any other and is not followed. Failures, also of the body, are
 * OutgoingErrors; when the signal is aborted the socket closes and its reason is thrown.
 */
export function createGuardedFetch(
  options: OutgoingOptions & { readonly maxBytes?: number } = {},
): GuardedFetch {
  return async (input, init) => {
    // Not the request's own signal, which follows this one only as long as the request is not collected.
    const signal = init?.signal ?? new AbortController().signal;
    signal.throwIfAborted();
    const request = toRequest(input, init);
    const url = parseUrl(request.url, undefined, options, maxCalledUrlLength);
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      const addresses = await untilAborted(signal, resolveHost(url, options));
      const message = await openOnce({
        url,
        addresses,
        method: request.method,
        headers: cleanHeaders(Object.fromEntries(request.headers)),
        body: body.length > 0 ? body : undefined,
        signal,
      });
      return toResponse(message, url, signal, options.maxBytes ?? defaultMaxBytes);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  };
}

function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  try {
    return new Request(input, { ...init, signal: null });
  } catch {
    // The error quotes what was wrong, which may be a credential.
    throw new OutgoingError("bad-request", "The request is not valid.");
  }
}

function toResponse(
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal,
  maxBytes: number,
): Response {
  const { statusCode: status = 0 } = message;
  const headers = { ...joinHeaders(message) };
  if (status < 200 || status > 599 || withoutBody.has(status)) message.destroy();
  if (status < 200 || status > 599) {
    throw new OutgoingError("connection-failed", `${url.host} answered with no status.`, url.host);
  }
  if (withoutBody.has(status)) return new Response(null, { status, headers });
  return new Response(streamOf(message, url, signal, maxBytes), { status, headers });
}

function streamOf(
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal,
  maxBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
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
}
