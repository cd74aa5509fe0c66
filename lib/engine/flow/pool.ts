import { follow, RunStop } from "./run-stop.ts";

/** Concurrency and stop signal of a pool. */
export type PoolOptions = {
  readonly width: number;
  readonly signal: AbortSignal;
  /** Whether no more calls may start. */
  readonly isDrained?: () => boolean;
  /** Called when no call is left to start and all open ones have left their slots. */
  readonly onLeft?: () => void;
};

/**
 * Calls `work` for 0 to `count` - 1, with limited concurrency and in order. A call that has nothing to do but wait leaves its
 * slot to the next one with `leave`. After the first failure no more calls start, open ones are aborted and awaited, and then
 * the failure is thrown. Throws a RunStop when calls were not started because the pool was drained.
 */
export const runPool = async (
  count: number,
  { width, signal, isDrained = () => false, onLeft = () => {} }: PoolOptions,
  work: (index: number, signal: AbortSignal, leave: () => void) => Promise<void>,
): Promise<void> => {
  const stop = new AbortController();
  const unfollow = follow(signal, stop);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const open = new Set<Promise<void>>();

  const call = async (index: number, leave: () => void): Promise<void> => {
    try {
      await work(index, stop.signal, leave);
    } catch (error) {
      failure ??= { error };
      stop.abort(new RunStop("neighbor-failed"));
    }
  };
  const worker = async (): Promise<void> => {
    while (next < count && !stop.signal.aborted && !isDrained()) {
      const index = next;
      next += 1;
      const left = Promise.withResolvers<void>();
      const calling: Promise<void> = call(index, left.resolve).finally(() => open.delete(calling));
      open.add(calling);
      await Promise.race([calling, left.promise]);
    }
  };

  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  if (open.size > 0) onLeft();
  await Promise.all(open);
  unfollow();
  if (failure) throw failure.error;
  signal.throwIfAborted();
  if (next < count) throw new RunStop("interrupted");
};
