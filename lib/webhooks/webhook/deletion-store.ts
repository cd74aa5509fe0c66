import type * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";
import { closedWebhookKey, deletedWebhookKey, webhookKey } from "../keys.ts";
import { WebhookItem } from "./items.ts";

/** Tombstone of a webhook, kept until its data is purged; `remote` until its removal was requested. */
const Deleted = WebhookItem.pick({ provider: true, remote: true, externalContext: true });
export type DeletedWebhook = z.output<typeof Deleted>;

/** How long late deliveries of a deleted webhook are dropped: longer than a queue keeps a message. */
const closedSeconds = 30 * 86_400;

/** Replaces a webhook by a tombstone; "changed" when it was deleted or its listener changed since it was read. */
export const replaceWebhookByTombstone = async (
  db: Database,
  tenantId: TenantId,
  { id, provider, remote, externalContext }: WebhookItem,
  now: number,
): Promise<"written" | "changed"> => {
  const tombstone: DeletedWebhook = { provider, remote, externalContext };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: webhookKey(tenantId, id),
        ConditionExpression:
          "attribute_exists(pk) AND remote = :remote AND externalContext = :externalContext",
        ExpressionAttributeValues: { ":remote": remote, ":externalContext": externalContext },
      },
    },
    { Put: { Item: { ...deletedWebhookKey(tenantId, id), ...tombstone } } },
    {
      Put: {
        Item: { ...closedWebhookKey(tenantId, id), ttl: Math.ceil(now / 1_000) + closedSeconds },
      },
    },
  ]);
  return outcome.written ? "written" : "changed";
};

/** TENANT#t / DELETED#WEBHOOK#id: the tombstone of a webhook; undefined once it is purged. */
export const getDeletedWebhook = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<DeletedWebhook | undefined> =>
  getItem(db, deletedWebhookKey(tenantId, webhookId), Deleted);

/** Clears the listener in a tombstone after its removal was requested. */
export const forgetRemote = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  await updateItem(db, patch(deletedWebhookKey(tenantId, webhookId), { set: { remote: null } }));
};

/** Deletes the tombstone of a purged webhook. */
export const deleteTombstone = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  await deleteItem(db, { Key: deletedWebhookKey(tenantId, webhookId) });
};
