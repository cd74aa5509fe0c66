import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { Asset } from "./schemas.ts";

/** The synchronization in progress. */
const Sync = z.object({
  id: z.string(),
  /** Until when its worker has it; afterwards another may begin. */
  leaseUntil: Timestamp,
  /** Whether another one was asked for meanwhile. */
  again: z.boolean(),
});

/** Stored asset: what the API returns, and what it does not. */
export const AssetItem = Asset.extend({
  /** The credentials among the parameters, by name, encrypted; null for none. */
  secrets: SealedValue.nullable().default(null),
  sync: Sync.nullable().default(null),
  /** Names what belongs to this asset and not to an earlier one of the same id: documents, texts and vectors. */
  indexId: z.string().default(""),
  /** Increases with each change of the settings. */
  version: z.int().default(0),
});
export type AssetItem = z.output<typeof AssetItem>;

/** An asset with a source, which can be synchronized and searched. */
export type ManagedAsset = AssetItem & {
  type: NonNullable<AssetItem["type"]>;
  embedding: NonNullable<AssetItem["embedding"]>;
};

/** Returns whether an asset has a source. */
export const isManaged = (asset: AssetItem): asset is ManagedAsset =>
  asset.type !== null && asset.embedding !== null;

/** Returns what the API shows of an asset. */
export const toAsset = (item: AssetItem): Asset => {
  const { secrets: _secrets, sync: _sync, version: _version, indexId: _index, ...asset } = item;
  return isManaged(item) ? { ...asset, vectorized: item.status === "Ready" } : asset;
};
