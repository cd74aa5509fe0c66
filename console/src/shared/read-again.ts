import type { QueryClient } from "@tanstack/react-query";

/**
 * Reads shown data again if its key begins with one of these. Aborts earlier reads: the cache would
 * wait for a first one, although it may have read the data before an action changed it.
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
