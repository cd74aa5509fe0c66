import type { TenantId } from "../../platform/db/tenant-id.ts";
import { assetKey } from "../keys.ts";
import {
  type CountingDeps,
  type EmbeddingTime,
  type EmbeddingUsage,
  writeCounted,
} from "../usage/embedding-usage.ts";
import type { AssetItem } from "./asset-item.ts";

/** Counts what embeddings used, once: in the tenant's usage and on an asset, unless it was deleted. */
export const recordEmbeddings = async (
  deps: CountingDeps,
  tenantId: TenantId,
  { id, indexId }: Pick<AssetItem, "id" | "indexId">,
  { used, ...time }: EmbeddingTime & { readonly used: EmbeddingUsage },
): Promise<void> => {
  const { tokens, cost, priced } = used;
  if (tokens === 0 && cost === 0) return;
  const ofAsset = {
    Update: {
      Key: assetKey(tenantId, id),
      UpdateExpression: `${priced ? "" : "SET embeddingPriced = :priced "}ADD embeddedTokens :tokens, embeddingCost :cost`,
      ConditionExpression: "indexId = :indexId",
      ExpressionAttributeValues: {
        ":tokens": tokens,
        ":cost": cost,
        ":indexId": indexId,
        ...(!priced && { ":priced": false }),
      },
    },
  };
  const counted = { ...time, used: [used] };
  const outcome = await writeCounted(deps, { tenantId, counted, writes: [ofAsset] });
  if (outcome === "refused") await writeCounted(deps, { tenantId, counted });
};
