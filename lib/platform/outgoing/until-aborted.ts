/** Waits for work, but not beyond the signal's abortion, whose reason is thrown then. */
export async function untilAborted<Value>(
  signal: AbortSignal,
  work: PromiseLike<Value>,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    // Work that nobody waits for any more may fail unheard.
    if (signal.aborted) void Promise.resolve(work).catch(() => {});
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
