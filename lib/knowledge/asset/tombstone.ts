import * as z from "zod";
import { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { TombstoneKind } from "../../platform/deletion/tombstone.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { deletedAssetKey } from "../keys.ts";
import type { PurgeAssetMessage } from "../messages.ts";

/** A deleted asset that is not purged yet. */
export const AssetTombstone = z.object({
  assetId: z.string(),
  indexId: z.string(),
  embedding: EmbeddingModel.nullable(),
  /** Until when a synchronization may still write documents. */
  busyUntil: Timestamp,
});
export type AssetTombstone = z.output<typeof AssetTombstone>;

/** TENANT#t#ASSETS#DELETED / digest#index: a deleted asset that is not purged. */
export const assetTombstones: TombstoneKind<PurgeAssetMessage, AssetTombstone> = {
  type: "purge-asset",
  key: ({ tenantId, assetId, indexId }) => deletedAssetKey(tenantId, assetId, indexId),
  schema: AssetTombstone,
  busyUntil: ({ busyUntil }) => busyUntil,
};
