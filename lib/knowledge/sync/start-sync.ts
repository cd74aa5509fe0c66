import { withoutCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { type AssetItem, isManaged } from "../asset/asset-item.ts";
import { putDueSync } from "../asset/due-store.ts";
import { getAsset } from "../asset/store.ts";
import type { SyncAssetMessage } from "../messages.ts";
import { changeSync, putNewSync } from "./sync-store.ts";

/** Dependencies of starting a synchronization. */
export type StartSyncDeps = {
  readonly db: Database;
  readonly send: Send;
  readonly runtime: Runtime;
};

/** Time until a worker must have started, which includes the wait for others of the tenant. */
export const syncWaitMs = 15 * 60_000;

/** A message that no worker received for this time may be lost. */
const resendMs = 60_000;

/**
 * Starts a synchronization of an asset. While one waits for a worker, its message is sent again when it may be lost. While
 * one runs, a single further one is queued. Recovery restarts one with an expired lease. Returns the asset, "missing", or "no-source" for an asset that only
 * revisions name.
 */
export const startSync = (
  { db, send, runtime }: StartSyncDeps,
  { tenantId, assetId }: { tenantId: TenantId; assetId: string },
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
        if (sync.worker === null) return resend({ db, send }, tenantId, { ...asset, sync }, now);
        if (sync.again) return asset;
        await putDueSync(withoutCompanions(db), { tenantId, assetId, indexId }, sync.leaseUntil);
        const again = { ...sync, again: true };
        return (await changeSync(db, tenantId, asset, again)) ?? "changed";
      }
      const syncId = newUuid(runtime);
      // Before the start, so that it is repeated if its message is lost.
      await putDueSync(withoutCompanions(db), { tenantId, assetId, indexId }, now + resendMs);
      const started = await putNewSync(db, tenantId, asset, {
        id: syncId,
        worker: null,
        leaseUntil: now + syncWaitMs,
        sentAt: now,
        doneBefore: 0,
        updates: 0,
        again: false,
      });
      if (!started) return "changed";
      await sendSync(send, tenantId, asset, syncId);
      return started;
    },
  );

const sendSync = (
  send: Send,
  tenantId: TenantId,
  { id: assetId, indexId }: Pick<AssetItem, "id" | "indexId">,
  syncId: string,
): Promise<void> => {
  const message: SyncAssetMessage = { type: "sync-asset", tenantId, assetId, indexId, syncId };
  return send("syncs", tenantId, message);
};

type Waiting = AssetItem & { sync: NonNullable<AssetItem["sync"]> };

/** Sends the message of a synchronization that no worker has taken again, at most once a minute. */
const resend = async (
  { db, send }: Pick<StartSyncDeps, "db" | "send">,
  tenantId: TenantId,
  asset: Waiting,
  now: number,
): Promise<AssetItem | "changed"> => {
  const { sync } = asset;
  if (now - sync.sentAt < resendMs) return asset;
  await putDueSync(
    withoutCompanions(db),
    { tenantId, assetId: asset.id, indexId: asset.indexId },
    now + resendMs,
  );
  const sent = await changeSync(db, tenantId, asset, { ...sync, sentAt: now });
  if (!sent) return "changed";
  await sendSync(send, tenantId, asset, sync.id);
  return sent;
};
