import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { type Called, statusFailure } from "./provider-failure.ts";

/** How time passes. */
export type Pace = {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Ends early, in whatever way, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const mostWaits = 2;
const longestWaitMs = 20_000;

/**
 * A `fetch` that gives good answers only: any other status is thrown as an UpstreamError. A service that is
 * busy (429, 503) and says in Retry-After for how long is waited for, twice and 20 s each time at most.
 */
export function createModelFetch(provider: Called, fetch: GuardedFetch, pace: Pace): GuardedFetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    for (let waits = 0; ; waits += 1) {
      const response = await fetch(input, init);
      if (response.ok) return response;
      await response.body?.cancel();
      const pauseMs = waits < mostWaits ? pauseAfter(response, pace.clock()) : undefined;
      if (pauseMs === undefined) throw statusFailure(provider, response.status);
      await pace.sleep(pauseMs, signal);
      signal.throwIfAborted();
    }
  };
}

/** Milliseconds to wait (RFC 9110, 10.2.3: seconds or a date); undefined when waiting is of no use. */
function pauseAfter({ status, headers }: Response, now: number): number | undefined {
  const wanted = headers.get("retry-after")?.trim();
  if ((status !== 429 && status !== 503) || !wanted) return undefined;
  const pauseMs = /^\d+(\.\d+)?$/.test(wanted)
    ? Number(wanted) * 1_000
    : Math.max(0, Date.parse(wanted) - now);
  return pauseMs <= longestWaitMs ? pauseMs : undefined;
}
