import { askedToWaitMs } from "./asked-to-wait.ts";

/** A `fetch` of texts: the headers are plain ones. */
export type PlainFetch = (
  url: string | URL,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

/** How long a service that throttles is waited for. Times in milliseconds. */
export type Patience = {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** When all must be over, Unix milliseconds. */
  readonly until: number;
  /** For one answer. Default 3. */
  readonly mostWaits?: number;
  /** Default 20 s. */
  readonly longestWaitMs?: number;
  /** What to wait when a service throttles (429) without saying for how long, by the waits so far; default not at all. */
  readonly ownWaitMs?: (waits: number) => number;
};

const defaultMostWaits = 3;
const defaultLongestWaitMs = 20_000;

/**
 * A `fetch` that waits for a service that throttles and says for how long, and asks again. The answer that it
 * gives in the end may still be one of those: when there were waits enough, or the next would last too long.
 */
export const createPatientFetch =
  (send: PlainFetch, patience: Patience): PlainFetch =>
  async (url, init) => {
    const { clock, sleep, until, ownWaitMs } = patience;
    const { mostWaits = defaultMostWaits, longestWaitMs = defaultLongestWaitMs } = patience;
    for (let waits = 0; ; waits += 1) {
      const response = await send(url, init);
      const own = response.status === 429 ? ownWaitMs?.(waits) : undefined;
      const waitMs = askedToWaitMs(response, clock()) ?? own;
      if (waitMs === undefined || waitMs > longestWaitMs || waits === mostWaits) return response;
      if (clock() + waitMs >= until) return response;
      await response.body?.cancel();
      await sleep(waitMs);
    }
  };
