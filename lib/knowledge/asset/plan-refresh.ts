import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { AssetItem } from "./asset-item.ts";
import { putDueSync, removeDueSync } from "./due-store.ts";
import type { Refresh } from "./schemas.ts";

const hourMs = 3_600_000;
const periods: Readonly<Record<Refresh, number>> = {
  hourly: hourMs,
  daily: 24 * hourMs,
  weekly: 7 * 24 * hourMs,
};

/**
 * Plans the next synchronization of an asset after `after`: immediately for null, and none without
 * `refresh`.
 */
export const planRefresh = (
  db: Database,
  tenantId: TenantId,
  { id: assetId, indexId, refresh }: Pick<AssetItem, "id" | "indexId" | "refresh">,
  after: number | null,
): Promise<void> => {
  const due = { tenantId, assetId, indexId };
  if (refresh === null) return removeDueSync(db, due);
  return putDueSync(db, due, after === null ? 0 : after + periods[refresh]);
};
