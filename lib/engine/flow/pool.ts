import { follow, RunStop } from "./run-stop.ts";

/** Concurrency and stop signal of a pool. */
export type PoolOptions = {
  readonly width: number;
  readonly signal: AbortSignal;
  /** Whether no more calls may start. */
  readonly isDrained?: () => boolean;
};

/**
 * Calls `work` for 0 to `count` - 1, with limited concurrency and in order. After the first failure no more
 * calls start, open ones are aborted and awaited, and then the failure is thrown. Throws a RunStop when calls were not started
 * because the pool was drained.
 */
export const runPool = async (
  count: number,
  { width, signal, isDrained = () => false }: PoolOptions,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const stop = new AbortController();
  const unfollow = follow(signal, stop);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;

  const worker = async (): Promise<void> => {
    while (next < count && !stop.signal.aborted && !isDrained()) {
      const index = next;
      next += 1;
      try {
        await work(index, stop.signal);
      } catch (error) {
        failure ??= { error };
        stop.abort(new RunStop("neighbor-failed"));
      }
    }
  };

  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  unfollow();
  if (failure) throw failure.error;
  signal.throwIfAborted();
  if (next < count) throw new RunStop("interrupted");
};
