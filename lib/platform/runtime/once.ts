/** Caches the result of asynchronous work, which runs on first use; failures are not cached. */
export const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let cached: Promise<Value> | undefined;
  return () => {
    cached ??= make().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
};
