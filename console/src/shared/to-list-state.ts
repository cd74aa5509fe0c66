import type { ListState } from "./use-list.ts";

type ReadItems<Item> = {
  data?: readonly Item[] | undefined;
  isLoading?: boolean;
  error?: unknown;
};

/** Converts items of a single read, or already in memory, to a list for a ResourceTable. */
export const toListState = <Item>({
  data = [],
  isLoading = false,
  error = null,
}: ReadItems<Item>): ListState<Item> => ({
  items: data,
  isLoading,
  error,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => {},
});
