import { followRedirects } from "../../platform/outgoing/follow-redirects.ts";
import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { createPatientFetch, type PlainFetch } from "../../platform/outgoing/patient-fetch.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { retryAfterMs } from "../../platform/outgoing/retry-after.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { SourceFetch } from "./source.ts";
import { statusFailure } from "./status-failure.ts";

/** What sources are read with. */
export type SourceReading = {
  readonly outgoing: OutgoingOptions;
  readonly clock: Clock;
  /** Waits so many milliseconds; ends early, in whatever way, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** When all must be over, Unix milliseconds. */
  readonly until: number;
  /** Ends every call that is under way. */
  readonly signal: AbortSignal;
};

const mostBytes = 64 * 1024 * 1024;
/** A page of JSON is held whole. */
const mostJsonBytes = 16 * 1024 * 1024;
const mostWaits = 10;
const mostRetries = 2;
const retryPauseMs = 250;

/**
 * The `fetch` of one estimate: calls public addresses alone, follows redirects within their origin (others
 * are answers), asks again when a connection fails (GET, twice), waits for a source that throttles as long as there is time, and
 * throws an UpstreamError for any status of 400 and above. An answer has at most 64 MiB, a JSON page 16 MiB.
 */
export const createSourceFetch = (reading: SourceReading): SourceFetch => {
  const { outgoing, clock, until, signal } = reading;
  const sleep = async (ms: number) => {
    await reading.sleep(ms, signal);
    signal.throwIfAborted();
  };
  const maxBytes = (headers: Headers) => (isJson(headers) ? mostJsonBytes : mostBytes);
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
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
  const patient = createPatientFetch(retrying(call, sleep), {
    clock,
    sleep,
    until,
    mostWaits,
    longestWaitMs: Number.POSITIVE_INFINITY,
    ownWaitMs: (waits) => 1_000 * 2 ** waits,
  });
  return async (url, init) => {
    const response = await patient(url, init);
    if (response.status < 400) return response;
    await response.body?.cancel();
    const isThrottled = response.status === 429 || retryAfterMs(response, clock()) !== undefined;
    throw statusFailure(new URL(url).host, response.status, isThrottled);
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
        if (!isPassing || (init?.method ?? "GET") !== "GET" || retries === mostRetries) throw error;
        await sleep(retryPauseMs * 2 ** retries);
      }
    }
  };

const isJson = (headers: Headers): boolean =>
  /^application\/(json|[\w.-]+\+json)\b/i.test(headers.get("content-type") ?? "") &&
  !headers.get("content-type")?.includes(".raw");
