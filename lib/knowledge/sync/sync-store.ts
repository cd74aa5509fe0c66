import type { Database } from "../../platform/db/database.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { AssetItem } from "../asset/asset-item.ts";
import { noProgress, type SyncProgress } from "../asset/schemas.ts";
import { getAsset } from "../asset/store.ts";
import { assetKey } from "../keys.ts";
import {
  type CountingDeps,
  type EmbeddingTime,
  type EmbeddingUsage,
  writeCounted,
} from "../usage/embedding-usage.ts";

/** A synchronization in progress. */
type Sync = NonNullable<AssetItem["sync"]>;

/** An asset as it was read. */
type ReadAsset = Pick<AssetItem, "id" | "indexId" | "sync">;

/** Replaces the state of an asset's synchronization, if it is as it was read. */
export const changeSync = (
  db: Database,
  tenantId: TenantId,
  { id, indexId, sync: before }: ReadAsset,
  sync: Sync,
): Promise<AssetItem | undefined> =>
  patchItem(db, assetKey(tenantId, id), AssetItem, {
    set: { sync },
    expect: { indexId, sync: before },
  });

/** Starts a synchronization of an asset, without progress yet, if the one before is as it was read. */
export const putNewSync = (
  db: Database,
  tenantId: TenantId,
  { id, indexId, sync: before }: ReadAsset,
  sync: Sync,
): Promise<AssetItem | undefined> =>
  patchItem(db, assetKey(tenantId, id), AssetItem, {
    set: { status: "Syncing", error: null, progress: noProgress, sync },
    expect: { indexId, sync: before },
  });

/** An asset and the worker that synchronizes it. */
export type SyncOwner = { tenantId: TenantId; assetId: string; worker: string };

/**
 * Counts usage and writes progress and the lease of a synchronization. Each update of a worker has the next
 * number, from 1, so that one whose response was lost is not applied twice. Returns "lost" when the asset was deleted
 * or another worker has it.
 */
export const recordProgress = async (
  deps: CountingDeps,
  { tenantId, assetId, worker }: SyncOwner,
  { number, usage, set }: { number: number; usage: CountedEmbeddings; set: ProgressUpdate },
): Promise<"written" | "lost"> => {
  const { leaseUntil, ...members } = set;
  const names = Object.keys(members);
  const { used } = usage;
  const changes = [
    ...names.map((name) => `#${name} = :${name}`),
    ...(used.priced ? [] : ["embeddingPriced = :priced"]),
  ];
  const update = {
    Key: assetKey(tenantId, assetId),
    UpdateExpression: `SET ${[...changes, "sync.leaseUntil = :lease", "sync.updates = :number"].join(", ")} ADD embeddedTokens :tokens, embeddingCost :cost`,
    ConditionExpression: "sync.worker = :worker AND sync.updates = :before",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(members).map(([name, value]) => [`:${name}`, value])),
      ":lease": leaseUntil,
      ":number": number,
      ":before": number - 1,
      ":worker": worker,
      ":tokens": used.tokens,
      ":cost": used.cost,
      ...(!used.priced && { ":priced": false }),
    },
  };
  const counted = { ...usage, used: [used] };
  if ((await writeCounted(deps, tenantId, counted, [{ Update: update }])) === "written") {
    return "written";
  }
  const sync = (await getAsset(deps.db, tenantId, assetId))?.sync;
  return sync?.worker === worker && sync.updates === number ? "written" : "lost";
};

/** Embeddings of a worker since its last update, to be counted once. */
export type CountedEmbeddings = EmbeddingTime & { readonly used: EmbeddingUsage };

/** Attributes that an update of a worker sets. */
export type ProgressUpdate = {
  readonly progress: SyncProgress;
  readonly leaseUntil: number;
  readonly indexedWith?: AssetItem["indexedWith"];
};

/** Ends a synchronization; "again" when another one was asked for, "lost" when another worker has it. */
export const endSync = async (
  db: Database,
  { tenantId, assetId, worker }: SyncOwner,
  set: Partial<Pick<AssetItem, "status" | "error" | "lastSyncedAt" | "documentCount">>,
): Promise<"ended" | "again" | "lost"> => {
  const members = Object.entries(set).filter(([, value]) => value !== undefined);
  const outcome = await updateItem(db, {
    Key: assetKey(tenantId, assetId),
    UpdateExpression: `SET ${[...members.map(([name]) => `#${name} = :${name}`), "sync = :none"].join(", ")}`,
    ConditionExpression: "sync.worker = :worker",
    ExpressionAttributeNames: Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(members.map(([name, value]) => [`:${name}`, value])),
      ":none": null,
      ":worker": worker,
    },
    ReturnValues: "ALL_OLD",
  });
  if (!outcome.written) return "lost";
  return AssetItem.partial().parse(outcome.item ?? {}).sync?.again ? "again" : "ended";
};
