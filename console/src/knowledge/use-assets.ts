import { useMutation, useQuery } from "@tanstack/react-query";
import { bodyOf } from "../../../client/client.ts";
import type { Asset, EstimateAssetsBody } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const assetsPath = "/v1/tenants/{tenant}/assets";

/** Lists the assets that revisions name. */
export const useAssets = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Asset>({
    queryKey: [tenant, "assets"],
    idOf: ({ id }) => id,
    read: (query) => bodyOf(client.GET(assetsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads the types of sources. */
export const useSourceTypes = () => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "source-types"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      bodyOf(client.GET(`${assetsPath}/source-types`, { params: { path: { tenant } } })),
  });
};

/** Estimates the tokens and chunks of a source. Its credentials are not kept. */
export const useEstimate = () => {
  const client = useClient();
  const tenant = useTenant();
  return useMutation({
    mutationFn: ({ agent, body }: { agent: string; body: EstimateAssetsBody }) =>
      bodyOf(
        client.POST("/v1/tenants/{tenant}/agents/{agent}/assets:estimate", {
          params: { path: { tenant, agent } },
          body,
        }),
      ),
    gcTime: 0,
  });
};
