/** Waits for work until the signal is aborted, then throws its reason. */
export const untilAborted = async <Value>(
  signal: AbortSignal,
  work: PromiseLike<Value>,
): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    // Ignores the failure of abandoned work.
    if (signal.aborted) void Promise.resolve(work).catch(() => {});
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};
