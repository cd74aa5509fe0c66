import { OutgoingError } from "./outgoing-error.ts";
import { maxCalledUrlLength, parseUrl } from "./parse-url.ts";
import {
  cleanHeaders,
  type Headers,
  headersForOtherOrigin,
  headersWithoutBody,
} from "./request-headers.ts";
import { type OutgoingOptions, resolveHost } from "./resolve-host.ts";
import { type OutgoingResponse, sendOnce } from "./send-once.ts";

export type { OutgoingOptions } from "./resolve-host.ts";
export type { OutgoingResponse } from "./send-once.ts";

/** A call to an address that a user gave. */
export type OutgoingRequest = {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** For the whole call, redirects and the answer's body included. Default 30 s. */
  readonly timeoutMs?: number;
  /** Of the answer's body. Default 1 MiB. */
  readonly maxBytes?: number;
};

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 1024 * 1024;
const maxRedirects = 5;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const redirects = new Set([301, 302, 303, 307, 308]);

type Hop = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
};

/**
 * Calls an address that a user gave. Every host, also of a redirect, is resolved once, must be
 * public, and is then connected to by that very address. Failures are OutgoingErrors; a status
 * of 400 and above is an answer like any other. When `signal` is aborted its reason is thrown.
 */
export async function request(
  call: OutgoingRequest,
  options: OutgoingOptions = {},
): Promise<OutgoingResponse> {
  const hop = firstHop(call, options);
  call.signal?.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, call.timeoutMs ?? defaultTimeoutMs);
  call.signal?.addEventListener("abort", end, { once: true });
  const aborted = rejectOn(ended.signal);
  try {
    const following = follow(hop, ended.signal, call.maxBytes ?? defaultMaxBytes, options);
    return await Promise.race([following, aborted]);
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason;
    if (!ended.signal.aborted) throw error;
    const { host } = hop.url;
    throw new OutgoingError("timeout", `${host} did not answer in time.`, host, { cause: error });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", end);
    end();
  }
}

function firstHop(call: OutgoingRequest, options: OutgoingOptions): Hop {
  const url = parseUrl(call.url, undefined, options, maxCalledUrlLength);
  const method = (call.method ?? "GET").toUpperCase();
  if (!methods.has(method)) {
    const known = [...methods].join(", ");
    throw new OutgoingError("bad-request", `The method must be one of ${known}.`, url.host);
  }
  return { url, method, headers: cleanHeaders(call.headers ?? {}), body: call.body };
}

async function follow(
  first: Hop,
  signal: AbortSignal,
  maxBytes: number,
  options: OutgoingOptions,
): Promise<OutgoingResponse> {
  let hop = first;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const addresses = await resolveHost(hop.url, options);
    signal.throwIfAborted();
    const response = await sendOnce({ ...hop, addresses, signal, maxBytes });
    const { location } = response.headers;
    if (!redirects.has(response.status) || location === undefined) return response;
    hop = nextHop(hop, response.status, parseUrl(location, hop.url, options));
  }
  const { host } = first.url;
  throw new OutgoingError(
    "too-many-redirects",
    `${host} redirects more than ${maxRedirects} times.`,
    host,
  );
}

function nextHop(hop: Hop, status: number, url: URL): Hop {
  const losesBody =
    (status === 303 && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  const headers = url.origin === hop.url.origin ? hop.headers : headersForOtherOrigin(hop.headers);
  return losesBody
    ? { url, method: "GET", headers: headersWithoutBody(headers), body: undefined }
    : { url, method: hop.method, headers, body: hop.body };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // It may be aborted when nobody waits for it any more.
  aborted.catch(() => {});
  return aborted;
}
