import { QueryClient } from "@tanstack/react-query";

/**
 * Creates the cache of responses; the client of the API repeats failed requests, the cache does
 * not.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000 },
      mutations: { retry: false },
    },
  });
