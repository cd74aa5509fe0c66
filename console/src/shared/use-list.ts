import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type Page, type PageQuery, pageQuery } from "../../../client/pages.ts";

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
  read: (query: PageQuery) => Promise<Page<Item>>;
  idOf: (item: Item) => string;
  /** Reads the first page again every few seconds while the page is visible. */
  isLive?: boolean;
  liveMilliseconds?: number;
};

const pageSize = 100;
const defaultLiveMilliseconds = 3_000;

/** Reads a paged list. New items of a live list appear at its start, and those of the first page are kept up to date. */
export const useList = <Item>(options: ListOptions<Item>): ListState<Item> => {
  const { queryKey, read, idOf, isLive = false } = options;
  const { liveMilliseconds = defaultLiveMilliseconds } = options;
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, "pages"],
    initialPageParam: "0",
    queryFn: ({ pageParam }) => read(pageQuery(pageParam, pageSize)),
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
  });
  const head = useQuery({
    queryKey: [...queryKey, "head"],
    queryFn: () => read(pageQuery("0", pageSize)),
    enabled: isLive && pages.isSuccess,
    refetchInterval: liveMilliseconds,
  });
  const loaded = [
    ...(head.data?.items ?? []),
    ...(pages.data?.pages.flatMap(({ items }) => items) ?? []),
  ];
  return {
    items: uniqueBy(loaded, idOf),
    isLoading: pages.isLoading,
    error: pages.error ?? head.error,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
};

const uniqueBy = <Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const id = idOf(item);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
};
