import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { type AssetItem, isManaged } from "../asset/asset-item.ts";
import { getAsset } from "../asset/store.ts";
import type { SyncAssetMessage } from "../messages.ts";
import { putDueSync } from "./due-store.ts";
import { changeSync, putNewSync } from "./sync-store.ts";

/** Dependencies of starting a synchronization. */
export type StartSyncDeps = {
  readonly db: Database;
  readonly send: Send;
  readonly runtime: Runtime;
};

/** How long a worker may take to begin, which includes the wait for others of the tenant. */
export const waitMs = 15 * 60_000;

/**
 * Starts a synchronization of an asset. While one waits for a worker this changes nothing; while one runs, another
 * follows it, however often it is asked for. Returns the asset, "missing", or "no-source" for an asset that only
 * revisions name.
 */
export const startSync = (
  { db, send, runtime }: StartSyncDeps,
  tenantId: TenantId,
  assetId: string,
): Promise<AssetItem | "missing" | "no-source"> =>
  retryOnConflict(
    {
      attempts: 8,
      maxPauseMs: 500,
      error: () => beingChanged("asset", assetId),
    },
    async () => {
      const asset = await getAsset(db, tenantId, assetId);
      if (!asset) return "missing";
      if (!isManaged(asset)) return "no-source";
      const { sync, indexId } = asset;
      const now = runtime.clock();
      if (sync && sync.leaseUntil > now) {
        if (sync.worker === null || sync.again) return asset;
        const again = { ...sync, again: true };
        return (await changeSync(db, tenantId, asset, again)) ?? "changed";
      }
      const syncId = newUuid(runtime);
      // Before the start, so that one whose message is lost is started again.
      await putDueSync(db, { tenantId, assetId, indexId }, now + waitMs);
      const started = await putNewSync(db, tenantId, asset, {
        id: syncId,
        worker: null,
        leaseUntil: now + waitMs,
        doneBefore: 0,
        updates: 0,
        again: false,
      });
      if (!started) return "changed";
      const message: SyncAssetMessage = { type: "sync-asset", tenantId, assetId, indexId, syncId };
      await send("syncs", tenantId, message);
      return started;
    },
  );
