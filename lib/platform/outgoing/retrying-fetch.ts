import { retryAfterMs } from "./retry-after.ts";

/** A `fetch` that sends text, with plain headers. */
export type PlainFetch = (
  url: string | URL,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

/** Limits of waiting for a service that throttles. Times in milliseconds. */
export type RetryPolicy = {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Waits for a duration in milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** End of all calls, Unix milliseconds. Default: none. */
  readonly until?: number;
  /** Maximum waits for one response. Default 3. */
  readonly maxWaits?: number;
  /** Default 20 s. */
  readonly maxWaitMs?: number;
  /** Returns the wait after a 429 without a retry time, by the number of waits so far. Default: no wait. */
  readonly ownWaitMs?: (waits: number) => number;
};

const defaultMaxWaits = 3;
const defaultMaxWaitMs = 20_000;

/**
 * Creates a `fetch` that retries throttled requests after the service's delay. Returns the
 * throttled response after the maximum of waits, or when the next wait would be too long.
 */
export const createRetryingFetch =
  <Input, Init>(
    send: (input: Input, init?: Init) => Promise<Response>,
    policy: RetryPolicy,
  ): typeof send =>
  async (input, init) => {
    const { clock, sleep, until = Number.POSITIVE_INFINITY, ownWaitMs } = policy;
    const { maxWaits = defaultMaxWaits, maxWaitMs = defaultMaxWaitMs } = policy;
    for (let waits = 0; ; waits += 1) {
      const response = await send(input, init);
      const own = response.status === 429 ? ownWaitMs?.(waits) : undefined;
      const waitMs = retryAfterMs(response, clock()) ?? own;
      if (waitMs === undefined || waitMs > maxWaitMs || waits === maxWaits) return response;
      if (clock() + waitMs >= until) return response;
      await response.body?.cancel();
      await sleep(waitMs);
    }
  };
