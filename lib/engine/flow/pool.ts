import { follow, RunStop } from "./run-stop.ts";

/** How many work at once, and what stops them. */
export type PoolOptions = { readonly width: number; readonly signal: AbortSignal };

/**
 * Works for 0 to `count` - 1, some at once, begun in order. After the first that fails no more are
 * begun, those under way are aborted and waited for; then its error is thrown.
 */
export async function runPool(
  count: number,
  { width, signal }: PoolOptions,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const unfollow = follow(signal, stop);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;

  async function worker(): Promise<void> {
    while (next < count && !stop.signal.aborted) {
      const index = next;
      next += 1;
      try {
        await work(index, stop.signal);
      } catch (error) {
        failure ??= { error };
        stop.abort(new RunStop("neighbor-failed"));
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  unfollow();
  if (failure) throw failure.error;
  signal.throwIfAborted();
}
