import { parseRetryAfter } from "./problem-error.ts";

/** Policy for retries after a 429 or 503. */
export type RetryOptions = {
  /** Attempts in total; 1 never repeats. */
  attempts: number;
  /** A longer `Retry-After` is not waited for. */
  maxWaitSeconds: number;
  /** Waits; rejects when the signal aborts. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
};

/** Waits; rejects with the signal's reason when it aborts. */
export const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });

/** Defaults of retries. */
export const defaultRetry: RetryOptions = {
  attempts: 4,
  maxWaitSeconds: 60,
  wait: waitFor,
  random: Math.random,
};

/** Methods that are safe to repeat. */
const repeatableMethods = new Set(["GET", "HEAD", "PUT", "DELETE"]);

const isRepeatable = (request: Request, response: Response): boolean => {
  if (response.status === 429) return true;
  if (response.status !== 503) return false;
  return repeatableMethods.has(request.method) || request.headers.has("idempotency-key");
};

/**
 * Wraps fetch: repeats a request after a 429, and after a 503 if that has no second effect, when `Retry-After`
 * (1 s by default) has passed. Up to a second is added, so that clients do not return at the same time.
 */
export const retryingFetch =
  (send: (request: Request) => Promise<Response>, options: RetryOptions = defaultRetry) =>
  async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(request.clone());
      if (attempt >= options.attempts || !isRepeatable(request, response)) return response;
      const seconds = parseRetryAfter(response.headers) ?? 1;
      if (seconds > options.maxWaitSeconds) return response;
      await response.body?.cancel();
      await options.wait(Math.round((seconds + options.random()) * 1_000), request.signal);
    }
  };
