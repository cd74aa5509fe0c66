import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { type DueSync, listDueSyncs, putDueSync, removeDueSync } from "../asset/due-store.ts";
import { getAsset } from "../asset/store.ts";
import { type StartSyncDeps, startSync } from "./start-sync.ts";

/**
 * Starts the synchronizations that are due by their assets' `refresh`, and restarts those with a message or worker that was
 * lost. Safe to run concurrently.
 * @param until when to stop, Unix milliseconds
 */
export const refreshAssets = async (deps: StartSyncDeps, until: number): Promise<void> => {
  const now = deps.runtime.clock();
  for await (const due of listDueSyncs(deps.db, now)) {
    if (deps.runtime.clock() >= until) {
      return log("assets-left-to-refresh");
    }
    try {
      await refresh(deps, due, now);
    } catch (error) {
      const { tenantId, assetId } = due;
      log("asset-not-refreshed", { tenantId, assetId, error: asError(error) });
    }
  }
};

const refresh = async (deps: StartSyncDeps, due: DueSync, now: number): Promise<void> => {
  const asset = await getAsset(deps.db, due.tenantId, due.assetId);
  if (asset?.indexId !== due.indexId) return removeDueSync(deps.db, due);
  if (asset.sync?.worker && asset.sync.leaseUntil > now) {
    return putDueSync(deps.db, due, asset.sync.leaseUntil);
  }
  if (asset.refresh === null && asset.sync === null) return removeDueSync(deps.db, due);
  await startSync(deps, { tenantId: due.tenantId, assetId: due.assetId });
};
