import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { expiringListenerKey, expiringListenersLists } from "../keys.ts";

/** Stored expiry of a webhook's listener, Unix milliseconds. */
export const ExpiringItem = z.object({
  tenantId: TenantId,
  webhookId: z.string(),
  expiresAt: z.int(),
});
export type ExpiringItem = z.output<typeof ExpiringItem>;

type Remote = { id: string; configId: string };

/** Transaction writes: the expiry of a listener; none when it never expires. */
export const putExpiring = (tenantId: TenantId, webhookId: string, expiresAt: number | null) =>
  expiresAt === null
    ? []
    : [
        {
          Put: {
            Item: {
              ...expiringListenerKey(tenantId, webhookId, expiresAt),
              ...({ tenantId, webhookId, expiresAt } satisfies ExpiringItem),
            },
          },
        } satisfies TransactionWrite,
      ];

/** Lists the listeners that expire on the day of `until` (Unix milliseconds) or earlier. */
export async function* listExpiring(db: Database, until: number): AsyncGenerator<ExpiringItem> {
  for (const { pk, to } of expiringListenersLists(until)) {
    let after: Record<string, unknown> | undefined;
    do {
      const result = await db.client.send(
        new QueryCommand({
          TableName: db.table,
          KeyConditionExpression: "pk = :pk AND sk <= :to",
          ExpressionAttributeValues: { ":pk": pk, ":to": to },
          ConsistentRead: true,
          ExclusiveStartKey: after,
        }),
      );
      for (const item of result.Items ?? []) yield ExpiringItem.parse(item);
      after = result.LastEvaluatedKey;
    } while (after);
  }
}

/** Deletes the expiry of a listener. */
export const removeExpiring = async (db: Database, item: ExpiringItem): Promise<void> => {
  await deleteItem(db, { Key: expiringListenerKey(item.tenantId, item.webhookId, item.expiresAt) });
};

/** Saves the new expiry of a renewed listener; "refused" when the webhook was deleted or has another listener. */
export const putRenewal = async (
  db: Database,
  item: ExpiringItem,
  remote: Remote,
  expiresAt: number,
): Promise<"written" | "refused"> => {
  const { tenantId, webhookId } = item;
  const before = expiringListenerKey(tenantId, webhookId, item.expiresAt);
  const after = expiringListenerKey(tenantId, webhookId, expiresAt);
  const outcome = await transact(db, [
    {
      Update: patch(webhookKey(tenantId, webhookId), { set: { expiresAt }, expect: { remote } }),
    },
    ...putExpiring(tenantId, webhookId, expiresAt),
    ...(before.sk === after.sk ? [] : [{ Delete: { Key: before } }]),
  ]);
  return outcome.written ? "written" : "refused";
};

/** Marks a webhook as failed because its listener expired, and deletes the expiry. */
export const putExpired = async (
  db: Database,
  item: ExpiringItem,
  remote: Remote,
  { reason, now }: { reason: string; now: number },
): Promise<void> => {
  const { tenantId, webhookId, expiresAt } = item;
  await transact(db, [
    {
      Update: patch(webhookKey(tenantId, webhookId), {
        set: { status: "FAILED", statusReason: reason, modifiedAt: now },
        expect: { remote, expiresAt },
      }),
    },
  ]);
  await removeExpiring(db, item);
};
