import type { ListState } from "./use-list.ts";

/** Reports whether a list was read and has no items. Its empty state has the action of the page then. */
export const isEmptyList = ({ items, isLoading, hasMore, error }: ListState<unknown>): boolean =>
  items.length === 0 && !isLoading && !hasMore && !error;
