import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deletedWebhookKey, webhookKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { WebhookItem } from "./items.ts";

/** What is known of a deleted webhook until all that it left behind is gone; `remote` until its end was asked for. */
const Deleted = WebhookItem.pick({ provider: true, remote: true, externalContext: true });
export type DeletedWebhook = z.output<typeof Deleted>;

/**
 * Replaces a webhook by the mark of its deletion. "changed" when it is gone, or its listener is another than
 * when it was read.
 */
export const replaceWebhookByMark = async (
  db: Database,
  tenantId: TenantId,
  { id, provider, remote, externalContext }: WebhookItem,
): Promise<"written" | "changed"> => {
  const mark: DeletedWebhook = { provider, remote, externalContext };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: webhookKey(tenantId, id),
        ConditionExpression:
          "attribute_exists(pk) AND remote = :remote AND externalContext = :externalContext",
        ExpressionAttributeValues: { ":remote": remote, ":externalContext": externalContext },
      },
    },
    { Put: { Item: { ...deletedWebhookKey(tenantId, id), ...mark } } },
  ]);
  return outcome.written ? "written" : "changed";
};

/** TENANT#t / DELETED#WEBHOOK#id: the mark of a deleted webhook; undefined when nothing of it is left. */
export const getDeletedWebhook = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<DeletedWebhook | undefined> => {
  const Key = deletedWebhookKey(tenantId, webhookId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && Deleted.parse(Item);
};

/** Says that the end of a deleted webhook's listener was asked for. */
export const forgetRemote = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  await db.client.send(
    new UpdateCommand({
      TableName: db.table,
      Key: deletedWebhookKey(tenantId, webhookId),
      UpdateExpression: "SET remote = :none",
      ExpressionAttributeValues: { ":none": null },
    }),
  );
};

/** Removes the mark: nothing of the webhook is left. */
export const removeMark = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  const Key = deletedWebhookKey(tenantId, webhookId);
  await db.client.send(new DeleteCommand({ TableName: db.table, Key }));
};
