import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { subscriberKey, webhookChildrenList } from "../keys.ts";

/** The attributes of a webhook's item that its deletion needs. */
const Child = z.object({
  pk: z.string(),
  sk: z.string(),
  id: z.string().optional(),
  subscriberType: z.string().optional(),
  subscriberId: z.string().optional(),
  payload: PackedValue.optional(),
});
export type WebhookChild = z.output<typeof Child>;

/** TENANT#t#WEBHOOK#w: all items of a webhook. */
export const listWebhookChildren = (db: Database, tenantId: TenantId, webhookId: string) =>
  listAll(db, Child, webhookChildrenList(tenantId, webhookId));

/** Returns the bucket objects of an item. */
export const objectsOf = ({ payload }: WebhookChild): string[] =>
  payload && "object" in payload ? [payload.object] : [];

/** Deletes items, a subscription's mirror first, so that an interrupted purge finds it again. */
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
  await deleteTogether(db, children);
};
