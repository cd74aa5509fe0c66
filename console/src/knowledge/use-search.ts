import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { SearchAssetsBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

/** Searches assets; not without a query. A search is made once, since its embedding may cost something. */
export const useSearch = (body: SearchAssetsBody | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "search", body],
    enabled: body !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      if (body === undefined) return [];
      const { items } = await unwrapBody(
        client.POST("/v1/tenants/{tenant}/assets:search", { params: { path: { tenant } }, body }),
      );
      return items;
    },
  });
};
