import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { retryAfterMs } from "../../platform/outgoing/retry-after.ts";
import { createRetryingFetch } from "../../platform/outgoing/retrying-fetch.ts";
import { readErrorBody } from "./classify-failure.ts";
import { type Called, describeReportedFailure, providerStatusFailure } from "./provider-failure.ts";

/** Clock and timer. */
export type Pace = {
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Resolves or rejects early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const defaultWaits = 2;
const maxErrorBytes = 16_384;
/** Time for reading the body of an error. */
const errorBodyMs = 5_000;

/**
 * Creates a `fetch` that throws a ModelFailure for any status but success. Retries a throttled
 * request after the service's delay, at most `maxWaits` times and after at most 20 s.
 */
export const createModelFetch =
  (
    provider: Called,
    fetch: GuardedFetch,
    { clock, sleep }: Pace,
    maxWaits = defaultWaits,
  ): GuardedFetch =>
  async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const wait = async (ms: number) => {
      await sleep(ms, signal);
      signal.throwIfAborted();
    };
    const response = await createRetryingFetch(fetch, { clock, sleep: wait, maxWaits })(
      input,
      init,
    );
    if (response.ok) return withoutError(provider, response);
    const words = await readError(response);
    signal.throwIfAborted();
    const { status } = response;
    throw providerStatusFailure(provider, { status, words }, retryAfterMs(response, clock()));
  };

/** Throws for a whole response that is an error: not every package looks for one. */
const withoutError = async (provider: Called, response: Response): Promise<Response> => {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  const body = await response.text();
  const error = readErrorBody(body);
  if (error) throw describeReportedFailure(provider, error);
  return new Response(body, response);
};

/** Reads the beginning of an error's body, which is only searched for the reason of the failure. */
const readError = async ({ body }: Response): Promise<string> => {
  const reader = body?.getReader();
  if (!reader) return "";
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), errorBodyMs);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < maxErrorBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
    }
  } catch {
    // A part of the body is enough.
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
};
