import type { Database } from "../../platform/db/database.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { timeOfUuid } from "../../platform/runtime/runtime.ts";
import { deliveryResultKey, deliveryResultsList } from "../keys.ts";
import { DeliveryResultItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { deliveryTtl } from "./store.ts";

/** Writes the result of one run of a delivery at one subscriber, replacing that of an earlier attempt. */
export const putResult = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
  {
    replayId = null,
    ...result
  }: DeliveryResult & { agentId?: string | null; replayId?: string | null },
): Promise<void> => {
  const Item = {
    ...deliveryResultKey(tenantId, webhookId, id, { ...result, replayId }),
    ...result,
    replayId,
    delivery: id,
    ttl: deliveryTtl(timeOfUuid(id)),
  };
  await putItem(db, { Item });
};

/** TENANT#t#WEBHOOK#w / RESULT#id#…: every run of a delivery, oldest subscription and then oldest run first. */
export const listResults = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
): Promise<DeliveryResultItem[]> =>
  Array.fromAsync(listAll(db, DeliveryResultItem, deliveryResultsList(tenantId, webhookId, id)));

/**
 * TENANT#t#WEBHOOK#w / RESULT#…: the results of all deliveries in a range, newest delivery first, up to `most`,
 * and whether there are more.
 */
export const listResultsBetween = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  { oldest, newest, most }: { oldest: string; newest: string; most: number },
): Promise<{ results: DeliveryResultItem[]; more: boolean }> => {
  const list = deliveryResultsList(tenantId, webhookId, newest);
  const between = {
    from: deliveryResultsList(tenantId, webhookId, oldest).prefix,
    to: `${list.prefix}~`,
  };
  const page = { size: most, skip: 0 };
  const found = await listPage(db, DeliveryResultItem, { list, between, newestFirst: true }, page);
  return { results: found.items, more: found.nextPageToken !== null };
};
