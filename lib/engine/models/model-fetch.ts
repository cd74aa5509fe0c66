import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { createRetryingFetch } from "../../platform/outgoing/retrying-fetch.ts";
import { type Called, providerStatusFailure } from "./provider-failure.ts";

/** Clock and timer. */
export type Pace = {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Resolves or rejects early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const maxWaits = 2;

/**
 * Creates a `fetch` that throws an UpstreamError for any status but success. Retries a throttled
 * request after the service's delay, at most twice and after at most 20 s.
 */
export const createModelFetch =
  (provider: Called, fetch: GuardedFetch, { clock, sleep }: Pace): GuardedFetch =>
  async (input, init) => {
    const wait = async (ms: number) => {
      const signal = init?.signal ?? new AbortController().signal;
      await sleep(ms, signal);
      signal.throwIfAborted();
    };
    const response = await createRetryingFetch(fetch, { clock, sleep: wait, maxWaits })(
      input,
      init,
    );
    if (response.ok) return response;
    await response.body?.cancel();
    throw providerStatusFailure(provider, response.status);
  };
