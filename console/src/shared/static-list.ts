import type { ListState } from "./use-list.ts";

/** Converts items that are already read to a list. */
export const staticList = <Item>(items: readonly Item[]): ListState<Item> => ({
  items,
  isLoading: false,
  error: null,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => undefined,
});
