import { followRedirects, type Redirect } from "./follow-redirects.ts";
import { openGuarded } from "./guarded-fetch.ts";
import { limitTime } from "./limit-time.ts";
import type { PreparedRequest } from "./open-request.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { maxCalledUrlLength, parseUrl } from "./parse-url.ts";
import {
  cleanHeaders,
  headersForOtherOrigin,
  headersWithoutBody,
  type OutgoingHeaders,
} from "./request-headers.ts";
import type { OutgoingOptions } from "./resolve-host.ts";

export type { OutgoingOptions } from "./resolve-host.ts";

/** A call to an address that a user provided. */
export type OutgoingRequest = {
  readonly url: string;
  readonly method?: string;
  readonly headers?: OutgoingHeaders;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** For the whole call, including redirects and the response body. Default 30 s. */
  readonly timeoutMs?: number;
  /** Maximum size of the response body. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Sends each request of the call, the first one and those of redirects, with more headers. */
  readonly sendEach?: SendEach;
};

/** Sends a request of a call; `headers`: those that it has already. */
export type SendEach = (
  request: { readonly url: string; readonly method: string; readonly headers: OutgoingHeaders },
  send: (more: OutgoingHeaders) => Promise<Response>,
) => Promise<Response>;

/** A complete response. */
export type OutgoingResponse = {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with ", ". */
  readonly headers: OutgoingHeaders;
  readonly body: Buffer;
};

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 1024 * 1024;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Calls an address that a user provided, follows redirects and reads the response. Every host, including that of a
 * redirect, must be public and is connected to at the address that was checked. Throws OutgoingErrors; a status of
 * 400 and above is a response. Throws the reason of `signal` when it is aborted.
 */
export const request = async (
  call: OutgoingRequest,
  options: OutgoingOptions = {},
): Promise<OutgoingResponse> => {
  const first = prepare(call, options);
  const { sendEach = (_, send) => send({}) } = call;
  const limits = { ...options, maxBytes: call.maxBytes ?? defaultMaxBytes };
  const time = { host: first.url.host, ms: call.timeoutMs ?? defaultTimeoutMs };
  return limitTime(
    time,
    async (signal) => {
      const response = await followRedirects(
        first,
        ({ url, method, headers, body }) =>
          sendEach({ url: url.href, method, headers }, (more) =>
            openGuarded({ url, method, headers: { ...headers, ...more }, body }, signal, limits),
          ),
        (hop, redirect) => nextHop(hop, redirect, options),
      );
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
    call.signal,
  );
};

const prepare = (call: OutgoingRequest, options: OutgoingOptions): PreparedRequest => {
  const url = parseUrl(call.url, undefined, options, maxCalledUrlLength);
  const method = (call.method ?? "GET").toUpperCase();
  if (!methods.has(method)) {
    const known = [...methods].join(", ");
    throw new OutgoingError("bad-request", `The method must be one of ${known}.`, url.host);
  }
  return { url, method, headers: cleanHeaders(call.headers ?? {}), body: call.body };
};

const nextHop = (
  hop: PreparedRequest,
  { status, location }: Redirect,
  options: OutgoingOptions,
): PreparedRequest => {
  const url = parseUrl(location, hop.url, options);
  const losesBody =
    (status === 303 && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  const headers = url.origin === hop.url.origin ? hop.headers : headersForOtherOrigin(hop.headers);
  return losesBody
    ? { url, method: "GET", headers: headersWithoutBody(headers), body: undefined }
    : { ...hop, url, headers };
};
