import type { ListState } from "./use-list.ts";

type ReadItems<Item> = { data?: readonly Item[] | undefined; isLoading: boolean; error: unknown };

/** Converts items that are read at once to a list for a ResourceTable. */
export const listOf = <Item>({
  data = [],
  isLoading,
  error,
}: ReadItems<Item>): ListState<Item> => ({
  items: data,
  isLoading,
  error,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => {},
});
