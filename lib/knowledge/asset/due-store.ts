import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import { dueSyncKey, dueSyncLists, inDueSyncs } from "../keys.ts";

/** An asset with a synchronization that is due: to be started, or restarted. */
const DueSync = z.object({ tenantId: TenantId, assetId: z.string(), indexId: z.string() });
export type DueSync = z.output<typeof DueSync>;

/** Sets when an asset is looked after next, Unix milliseconds. */
export const putDueSync = async (
  db: Database,
  { tenantId, assetId, indexId }: DueSync,
  at: number,
): Promise<void> => {
  const item: DueSync = { tenantId, assetId, indexId };
  await putItem(db, { Item: { ...inDueSyncs(tenantId, indexId, at), ...item } });
};

/** Looks after an asset no more. */
export const removeDueSync = async (
  db: Database,
  { tenantId, indexId }: Pick<DueSync, "tenantId" | "indexId">,
): Promise<void> => {
  await deleteItem(db, { Key: dueSyncKey(tenantId, indexId) });
};

/** Lists the assets that are due, from the index of the table, which may miss a recent change. */
export async function* listDueSyncs(db: Database, until: number): AsyncGenerator<DueSync> {
  for (const request of dueSyncLists(until)) {
    for await (const keys of listIndex(db, request)) {
      for (const item of await getItems(db, keys, DueSync)) if (item) yield item;
    }
  }
}
