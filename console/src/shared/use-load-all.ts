import { useEffect } from "react";
import type { ListState } from "./use-list.ts";

/** Reads all pages of a list, one after the other, such as for a field that offers its items. */
export const useLoadAll = <Item>(list: ListState<Item>): ListState<Item> => {
  const { hasMore, isLoadingMore, error, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && !error) loadMore();
  });
  return list;
};
