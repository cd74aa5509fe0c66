import type { Database } from "../../platform/db/database.ts";
import {
  changeWhileHeld,
  type LeaseMembers,
  releaseLease,
  renewLease,
  takeOverLease,
} from "../../platform/db/lease.ts";
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

/** The lease of the worker that synchronizes an asset. */
const leaseMembers = (tenantId: TenantId, assetId: string): LeaseMembers => ({
  key: assetKey(tenantId, assetId),
  holder: "sync.worker",
  until: "sync.leaseUntil",
});

/** Gives a synchronization to a worker; undefined when its lease is not as it was read. */
export const leaseSync = async (
  db: Database,
  { tenantId, assetId, worker }: SyncOwner,
  seen: Sync,
  leaseUntil: number,
): Promise<AssetItem | undefined> => {
  const lease = { holder: seen.worker, until: seen.leaseUntil };
  const next = { holder: worker, until: leaseUntil };
  const { written, item } = await updateItem(db, {
    ...takeOverLease(leaseMembers(tenantId, assetId), lease, next, {
      expect: { "sync.id": seen.id },
    }),
    ReturnValues: "ALL_NEW",
  });
  return written ? AssetItem.parse(item) : undefined;
};

/** Returns a synchronization from its worker to the queue; false when another worker has it. */
export const releaseSync = async (
  db: Database,
  { tenantId, assetId, worker }: SyncOwner,
  { leaseUntil, sentAt, doneBefore }: Pick<Sync, "leaseUntil" | "sentAt" | "doneBefore">,
): Promise<boolean> => {
  const lease = { holder: worker, until: leaseUntil };
  const set = { "sync.sentAt": sentAt, "sync.doneBefore": doneBefore };
  const release = releaseLease(leaseMembers(tenantId, assetId), lease, { set });
  return (await updateItem(db, release)).written;
};

/**
 * Counts usage and writes progress and the lease of a synchronization. Updates of a worker are
 * numbered from 1, so that one with a lost response is not applied twice. Returns "lost" when the
 * asset was deleted or another worker has it.
 */
export const recordProgress = async (
  deps: CountingDeps,
  { tenantId, assetId, worker }: SyncOwner,
  { number, usage, set }: { number: number; usage: CountedEmbeddings; set: ProgressUpdate },
): Promise<"written" | "lost"> => {
  const { leaseUntil, ...members } = set;
  const { used } = usage;
  const Update = renewLease(
    leaseMembers(tenantId, assetId),
    { holder: worker, until: leaseUntil },
    {
      set: {
        ...members,
        "sync.updates": number,
        ...(!used.priced && { embeddingPriced: false }),
      },
      add: { embeddedTokens: used.tokens, embeddingCost: used.cost },
      expect: { "sync.updates": number - 1 },
    },
  );
  const counted = { ...usage, used: [used] };
  if ((await writeCounted(deps, { tenantId, counted, writes: [{ Update }] })) === "written")
    return "written";
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
  const outcome = await updateItem(db, {
    ...changeWhileHeld(leaseMembers(tenantId, assetId), worker, { set: { ...set, sync: null } }),
    ReturnValues: "ALL_OLD",
  });
  if (!outcome.written) return "lost";
  return AssetItem.partial().parse(outcome.item ?? {}).sync?.again ? "again" : "ended";
};
