import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import type { EmbeddingUsage } from "../document/embedder.ts";
import { assetKey } from "../keys.ts";
import type { AssetItem } from "./asset-item.ts";

/** Adds what embeddings used to an asset, unless it was deleted. */
export const recordEmbeddings = async (
  db: Database,
  tenantId: TenantId,
  { id, indexId }: Pick<AssetItem, "id" | "indexId">,
  { tokens, cost }: EmbeddingUsage,
): Promise<void> => {
  if (tokens === 0 && cost === 0) return;
  await updateItem(db, {
    Key: assetKey(tenantId, id),
    UpdateExpression: "ADD embeddedTokens :tokens, embeddingCost :cost",
    ConditionExpression: "indexId = :indexId",
    ExpressionAttributeValues: { ":tokens": tokens, ":cost": cost, ":indexId": indexId },
  });
};
