import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { Page, PageQuery } from "../../../client/pages.ts";
import { firstPage, nextStart } from "./next-start.ts";

/** A list that is read page by page. */
export type ListState<Item> = {
  items: readonly Item[];
  /** Whether the first page is being read. */
  isLoading: boolean;
  error: unknown;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
};

type ListOptions<Item> = {
  /** Key of the cache, which contains the tenant and the filters. */
  queryKey: readonly unknown[];
  /** Reads a page; of a list with `getTime`, a page of the items until a time. */
  read: (query: PageQuery, until?: number) => Promise<Page<Item>>;
  /** Returns the time that sorts the list, most recent first. Then deep pages cost no more than the first one. */
  getTime?: (item: Item) => number;
  getId: (item: Item) => string;
  /** Reads the first page again every few seconds while the page is visible. */
  isLive?: boolean;
  liveMilliseconds?: number;
};

const defaultLiveMilliseconds = 3_000;

/** Reads a paged list. New items of a live list appear at its start, and those of the first page are kept up to date. */
export const useList = <Item>(options: ListOptions<Item>): ListState<Item> => {
  const { queryKey, read, getTime, getId, isLive = false } = options;
  const { liveMilliseconds = defaultLiveMilliseconds } = options;
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, "pages"],
    initialPageParam: firstPage,
    queryFn: ({ pageParam: { until, ...query } }) => read(query, until),
    // A live list is kept up to date by its head: many pages are not read again when the window gets the focus.
    ...(isLive && { staleTime: Number.POSITIVE_INFINITY }),
    getNextPageParam: (page, _, start) => nextStart(page, start, getTime),
    placeholderData: keepPreviousData,
  });
  const head = useQuery({
    queryKey: [...queryKey, "head"],
    queryFn: () => read(firstPage),
    enabled: isLive && pages.isSuccess,
    refetchInterval: liveMilliseconds,
  });
  const hasGap = isGapBetween(head.data, pages.data?.pages[0], getId);
  const cache = useQueryClient();
  useEffect(() => {
    if (hasGap) void cache.resetQueries({ queryKey: [...queryKey, "pages"] });
  });
  const loaded = [
    ...(head.data?.items ?? []),
    ...(pages.data?.pages.flatMap(({ items }) => items) ?? []),
  ];
  return {
    items: uniqueBy(loaded, getId),
    isLoading: pages.isLoading,
    error: pages.error ?? head.error,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
};

/** Reports whether there are items between the head and the pages that were read. */
const isGapBetween = <Item>(
  head: Page<Item> | undefined,
  first: Page<Item> | undefined,
  getId: (item: Item) => string,
): boolean => {
  if (!head?.items.length || !first || head.nextPageToken === null) return false;
  const known = new Set(first.items.map(getId));
  return !head.items.some((item) => known.has(getId(item)));
};

const uniqueBy = <Item>(items: readonly Item[], getId: (item: Item) => string): Item[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const id = getId(item);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
};
