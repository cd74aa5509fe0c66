import { useDidUpdate } from "@mantine/hooks";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Asset, AssetDocument, AssetDocumentPage } from "../../../client/openapi.ts";
import { pageQuery } from "../../../client/pages.ts";
import { assetKey } from "../asset-queries/use-assets.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import type { ListState } from "../shared/use-list.ts";

const documentsPath = "/v1/tenants/{tenant}/assets/{asset}/documents";
const pageMilliseconds = 2_000;
const firstPageSize = 100;

/** Key of the documents of an asset. */
export const documentsKey = (tenant: string, asset: string): readonly string[] => [
  ...assetKey(tenant, asset),
  "documents",
];

const flattenPages = (data: InfiniteData<AssetDocumentPage> | undefined): AssetDocument[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

const isPending = ({ status }: AssetDocument): boolean => status === "Pending";

/**
 * Lists the documents of an asset. While it is synchronized or some wait to be indexed, the pages that were read are
 * read again: the more there are, the less often.
 */
export const useDocuments = ({ id: asset, status }: Asset): ListState<AssetDocument> => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  const pages = useInfiniteQuery({
    queryKey: documentsKey(tenant, asset),
    initialPageParam: "0",
    queryFn: ({ pageParam }) =>
      unwrapBody(
        client.GET(documentsPath, {
          params: { path: { tenant, asset }, query: pageQuery(pageParam, firstPageSize) },
        }),
      ),
    getNextPageParam: (page) => page.nextPageToken,
    refetchInterval: ({ state: { data } }) =>
      status === "Syncing" || flattenPages(data).some(isPending)
        ? pageMilliseconds * (data?.pages.length ?? 1)
        : false,
  });
  const items = flattenPages(pages.data);
  const waiting = items.filter(isPending).length;
  // Uploaded documents change the asset, and the end of a synchronization its documents.
  useDidUpdate(() => {
    void cache.invalidateQueries({ queryKey: assetKey(tenant, asset), exact: true });
  }, [waiting]);
  useDidUpdate(() => {
    void cache.invalidateQueries({ queryKey: documentsKey(tenant, asset) });
  }, [status]);
  return {
    items,
    isLoading: pages.isLoading,
    error: pages.error,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
};

/** Deletes an uploaded document. */
export const useDeleteDocument = (asset: string) =>
  useAction(["asset"], ({ client, tenant }, document: string) =>
    client.DELETE(`${documentsPath}/{document}`, {
      params: { path: { tenant, asset, document } },
    }),
  );
