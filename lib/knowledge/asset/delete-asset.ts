import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { listDeletedAssets, replaceAssetByTombstone } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { getAsset } from "./store.ts";

/**
 * Deletes an asset immediately; a queue removes its documents, index and subscriptions soon after. Throws 404.
 * Repeating a call that failed halfway requests the purge again.
 */
export const deleteAsset = (
  tenantId: TenantId,
  assetId: string,
  { db, send }: { db: Database; send: Send },
): Promise<void> =>
  retryOnConflict({ error: () => beingChanged("asset", assetId) }, async () => {
    const asset = await getAsset(db, tenantId, assetId);
    if (!asset) {
      for (const deleted of await listDeletedAssets(db, tenantId, assetId)) {
        await requestPurge(send, tenantId, deleted);
      }
      throw notFound("asset", assetId);
    }
    const outcome = await replaceAssetByTombstone(db, tenantId, asset);
    if (outcome === "changed") return outcome;
    return requestPurge(send, tenantId, { assetId, indexId: asset.indexId });
  });
