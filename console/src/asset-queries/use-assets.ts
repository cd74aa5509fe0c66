import { useQuery } from "@tanstack/react-query";
import { unwrapBody, type WharfClient } from "../../../client/client.ts";
import type {
  Asset,
  CreateAssetBody,
  EstimateAssetsBody,
  UpdateAssetBody,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const assetsPath = "/v1/tenants/{tenant}/assets";
const assetPath = `${assetsPath}/{asset}` as const;
const [syncMilliseconds, idleMilliseconds] = [2_000, 15_000];

/**
 * Key of the data of one asset; its id may be any text, so it is separate from the keys of lists.
 */
export const assetKey = (tenant: string, asset: string): readonly string[] => [
  tenant,
  "asset",
  asset,
];

/** Lists the assets; a live list shows the progress of synchronizations. */
export const useAssets = ({ isLive = false }: { isLive?: boolean } = {}) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Asset>({
    queryKey: [tenant, "assets"],
    getId: ({ id }) => id,
    read: (query) => unwrapBody(client.GET(assetsPath, { params: { path: { tenant }, query } })),
    isLive,
  });
};

/** Reads an asset; again every few seconds while it is synchronized, which others and schedules may start. */
export const useAsset = (asset: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: assetKey(tenant, asset),
    queryFn: () => unwrapBody(client.GET(assetPath, { params: { path: { tenant, asset } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "Syncing" ? syncMilliseconds : idleMilliseconds,
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
      unwrapBody(client.GET(`${assetsPath}/source-types`, { params: { path: { tenant } } })),
  });
};

/** Estimates the tokens and chunks of a source. */
export const useEstimate = () =>
  useAction(
    [],
    ({ client, tenant }, { agent, body }: { agent: string; body: EstimateAssetsBody }) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/agents/{agent}/assets:estimate", {
          params: { path: { tenant, agent } },
          body,
        }),
      ),
  );

const startSync = (client: WharfClient, tenant: string, asset: string): Promise<Asset> =>
  unwrapBody(client.POST(`${assetPath}:sync`, { params: { path: { tenant, asset } } }));

/** Creates an asset, and synchronizes it if its source can be read. */
export const useCreateAsset = () =>
  useAction(
    ["assets", "asset"],
    async (
      { client, tenant },
      { body, isSynced }: { body: CreateAssetBody; isSynced: boolean },
    ) => {
      const asset = await unwrapBody(
        client.POST(assetsPath, { params: { path: { tenant } }, body }),
      );
      // It exists even if its synchronization is refused, which its page then offers.
      return isSynced ? startSync(client, tenant, asset.id).catch(() => asset) : asset;
    },
  );

/** Changes the settings of an asset. */
export const useUpdateAsset = (asset: string) =>
  useAction(
    ["assets", "asset"],
    ({ client, tenant }, body: UpdateAssetBody) =>
      unwrapBody(client.PATCH(assetPath, { params: { path: { tenant, asset } }, body })),
    { done: ({ displayName, id }) => `Saved ${displayName || id}.` },
  );

/** Starts a synchronization. */
export const useSyncAsset = (asset: string) =>
  useAction(["assets", "asset"], ({ client, tenant }) => startSync(client, tenant, asset));

/** Deletes an asset. Leave its page before: it does not exist any more. */
export const useDeleteAsset = (asset: string) =>
  useAction(
    ["assets"],
    ({ client, tenant }) => client.DELETE(assetPath, { params: { path: { tenant, asset } } }),
    { removed: ["asset", asset] },
  );
