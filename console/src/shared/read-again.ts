import type { QueryClient } from "@tanstack/react-query";

/**
 * Reads again what is shown and has a key that begins with one of these. Ends reads that began before: the cache would wait
 * for a first one, although it may have found what an action has changed since.
 */
export const readAgain = async (
  cache: QueryClient,
  keys: readonly (readonly string[])[],
): Promise<void> => {
  await Promise.all(
    keys.map(async (queryKey) => {
      await cache.cancelQueries({ queryKey });
      await cache.invalidateQueries({ queryKey });
    }),
  );
};
