import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { listIndexedKeys } from "../../platform/db/list-indexed-page.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { closedWebhookKey, deliveriesList, subscriberKey, webhookChildrenList } from "../keys.ts";

/** The attributes of a webhook's item that its deletion needs. */
const Child = z.object({
  pk: z.string(),
  sk: z.string(),
  id: z.string().optional(),
  subscriberType: z.string().optional(),
  subscriberId: z.string().optional(),
  payload: PackedValue.optional(),
  bodyObject: z.string().optional(),
});
export type WebhookChild = z.output<typeof Child>;

/**
 * TENANT#t#WEBHOOK#w, and the partitions of its deliveries: all items of a webhook, but the mark that it was deleted,
 * which expires. A delivery comes after its results, because the next purge finds them by it.
 */
export async function* listWebhookChildren(
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): AsyncGenerator<WebhookChild> {
  const deliveries = { list: deliveriesList(tenantId, webhookId) };
  for await (const { pk } of listIndexedKeys(db, deliveries)) {
    yield* listAll(db, Child, { pk, prefix: "" }, { newestFirst: true });
  }
  const { sk: closed } = closedWebhookKey(tenantId, webhookId);
  for await (const child of listAll(db, Child, webhookChildrenList(tenantId, webhookId))) {
    if (child.sk !== closed) yield child;
  }
}

/** Returns the bucket objects of an item. */
export const listObjects = ({ payload, bodyObject }: WebhookChild): string[] => [
  ...(payload && "object" in payload ? [payload.object] : []),
  ...(bodyObject === undefined ? [] : [bodyObject]),
];

/**
 * Deletes items, of which some may be named twice; a subscription's mirror first and deliveries last, so that the
 * purge after an interrupted one finds what is left.
 */
export const deleteChildren = async (
  db: Database,
  tenantId: TenantId,
  children: readonly WebhookChild[],
): Promise<void> => {
  const mirrors = children.flatMap(({ id, subscriberType, subscriberId }) =>
    id !== undefined && subscriberType !== undefined && subscriberId !== undefined
      ? [subscriberKey(tenantId, { type: subscriberType, id: subscriberId }, id)]
      : [],
  );
  await deleteTogether(db, mirrors);
  const unique = new Map(children.map((child) => [`${child.pk} ${child.sk}`, child]));
  const isDelivery = ({ sk }: WebhookChild) => sk.startsWith("DELIVERY");
  await deleteTogether(
    db,
    [...unique.values()].filter((child) => !isDelivery(child)),
  );
  await deleteTogether(db, [...unique.values()].filter(isDelivery));
};
