import { followRedirects } from "../../platform/outgoing/follow-redirects.ts";
import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { retryAfterMs } from "../../platform/outgoing/retry-after.ts";
import { createRetryingFetch, type PlainFetch } from "../../platform/outgoing/retrying-fetch.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { SourceFetch } from "../../vendors/source.ts";
import { sourceStatusFailure } from "./status-failure.ts";

/** Dependencies and limits of `createSourceFetch`. */
export type SourceFetchOptions = {
  readonly outgoing: OutgoingOptions;
  readonly clock: Clock;
  /** Waits `ms` milliseconds; resolves or rejects early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Deadline, Unix milliseconds. */
  readonly until: number;
  /** Aborts calls in progress. */
  readonly signal: AbortSignal;
};

const maxBytes = 64 * 1024 * 1024;
/** Less, because JSON is held in memory. */
const maxJsonBytes = 16 * 1024 * 1024;
const maxWaits = 10;
const maxRetries = 2;
const retryPauseMs = 250;

/**
 * Creates the `fetch` of one estimate. It calls public addresses only, follows redirects within an origin, retries
 * a GET twice when the connection fails, and waits until the deadline for a source that throttles. Throws an
 * UpstreamError for status 400 and above. Responses are limited to 64 MiB, JSON to 16 MiB.
 */
export const createSourceFetch = (options: SourceFetchOptions): SourceFetch => {
  const { outgoing, clock, until, signal } = options;
  const sleep = async (ms: number) => {
    await options.sleep(ms, signal);
    signal.throwIfAborted();
  };
  const limitFor = (headers: Headers) => (isJson(headers) ? maxJsonBytes : maxBytes);
  const guarded = createGuardedFetch({ ...outgoing, maxBytes: limitFor });
  const call: PlainFetch = (url, init = {}) =>
    followRedirects(
      { url: new URL(url) },
      (hop) => guarded(hop.url, { ...init, signal }),
      (hop, { location }) => {
        const next = parseAddress(location, hop.url);
        const isFollowed = next?.origin === hop.url.origin && (init.method ?? "GET") === "GET";
        return isFollowed ? { url: next } : undefined;
      },
    );
  const patient = createRetryingFetch(retrying(call, sleep), {
    clock,
    sleep,
    until,
    maxWaits,
    maxWaitMs: Number.POSITIVE_INFINITY,
    ownWaitMs: (waits) => 1_000 * 2 ** waits,
  });
  return async (url, init) => {
    const response = await patient(url, init);
    if (response.status < 400) return response;
    await response.body?.cancel();
    const isThrottled = response.status === 429 || retryAfterMs(response, clock()) !== undefined;
    throw sourceStatusFailure(new URL(url).host, response.status, isThrottled);
  };
};

const retrying =
  (send: PlainFetch, sleep: (ms: number) => Promise<unknown>): PlainFetch =>
  async (url, init) => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await send(url, init);
      } catch (error) {
        const isPassing = error instanceof OutgoingError && error.kind === "connection-failed";
        if (!isPassing || (init?.method ?? "GET") !== "GET" || retries === maxRetries) throw error;
        await sleep(retryPauseMs * 2 ** retries);
      }
    }
  };

const isJson = (headers: Headers): boolean =>
  /^application\/(json|[\w.-]+\+json)\b/i.test(headers.get("content-type") ?? "") &&
  !headers.get("content-type")?.includes(".raw");
