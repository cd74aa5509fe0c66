import * as z from "zod";
import { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { Asset } from "./schemas.ts";

/** The synchronization in progress. */
const Sync = z.object({
  id: z.string(),
  /** The worker that has it; null until one takes it. */
  worker: z.string().nullable(),
  /** End of its worker's lease; afterwards another may start. */
  leaseUntil: Timestamp,
  /** When its message was sent last. */
  sentAt: Timestamp,
  /** Documents that earlier workers had indexed and removed. */
  doneBefore: z.int(),
  /** Updates of the workers so far. */
  updates: z.int(),
  /** Whether another one was asked for meanwhile. */
  again: z.boolean(),
});

/** Stored asset: what the API returns, and what it does not. */
export const AssetItem = Asset.extend({
  /** The credentials among the parameters, by name, encrypted; null for none. */
  secrets: SealedValue.nullable().default(null),
  sync: Sync.nullable().default(null),
  /**
   * The model of the index that is searched, which a synchronization with another one replaces when it has embedded
   * all documents; null without a source.
   */
  indexedWith: EmbeddingModel.nullable().default(null),
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

/** Returns whether an asset has an index that is up to date: its `vectorized`, which is not stored. */
export const isReady = (asset: AssetItem): boolean => isManaged(asset) && asset.status === "Ready";

/** Returns what the API shows of an asset. */
export const toAsset = (item: AssetItem): Asset => {
  const { secrets: _s, sync: _y, version: _v, indexId: _i, indexedWith: _w, ...asset } = item;
  return { ...asset, vectorized: isReady(item) };
};
