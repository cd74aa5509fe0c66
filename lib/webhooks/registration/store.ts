import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { registeringKey, webhookKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { putExpiring } from "./expiring-store.ts";
import type { Listener } from "./registrar.ts";

/** Stored lease of a registration under way; kept when its worker crashes. */
export const RegisteringItem = z.object({
  provider: z.string(),
  configId: z.string(),
  externalContext: z.string().nullable(),
  url: z.string(),
  /** Expiry of the lease, Unix milliseconds. */
  until: z.int(),
});
export type RegisteringItem = z.output<typeof RegisteringItem>;

const orUndefined = async <Value>(write: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** Acquires the lease of registering a listener; "taken" while another worker holds it. */
export const beginRegistering = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  item: RegisteringItem,
  now: number,
): Promise<"begun" | "taken"> => {
  const command = new PutCommand({
    TableName: db.table,
    Item: { ...registeringKey(tenantId, webhookId), ...item },
    ConditionExpression: "attribute_not_exists(pk) OR #until <= :now",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": now },
  });
  return (await orUndefined(() => db.client.send(command))) ? "begun" : "taken";
};

/** Releases the lease at once, keeping the item. */
export const leaveRegistering = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  const command = new UpdateCommand({
    TableName: db.table,
    Key: registeringKey(tenantId, webhookId),
    UpdateExpression: "SET #until = :now",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": 0 },
  });
  await orUndefined(() => db.client.send(command));
};

/** TENANT#t / REGISTERING#webhook: the registration under way or interrupted. */
export const getRegistering = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<RegisteringItem | undefined> => {
  const Key = registeringKey(tenantId, webhookId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && RegisteringItem.parse(Item);
};

/** Deletes the registration under way. */
export const endRegistering = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  const Key = registeringKey(tenantId, webhookId);
  await db.client.send(new DeleteCommand({ TableName: db.table, Key }));
};

type Made = { listener: Listener; configId: string; now: number };

/**
 * Saves a webhook's listener. A `PENDING` webhook becomes `ACTIVE`, any other keeps its status. "changed" when the
 * webhook changed since it was read.
 */
export const putListener = async (
  db: Database,
  tenantId: TenantId,
  webhook: WebhookItem,
  { listener, configId, now }: Made,
): Promise<"settled" | "changed"> => {
  const remote = { id: listener.remoteId, configId };
  const status = webhook.status === "PENDING" ? "ACTIVE" : webhook.status;
  const { expiresAt } = listener;
  const change = { status, statusReason: null, remote, expiresAt, modifiedAt: now };
  const outcome = await transact(db, [
    changeAsRead(tenantId, webhook, change),
    { Delete: { Key: registeringKey(tenantId, webhook.id) } },
    ...putExpiring(tenantId, webhook.id, expiresAt),
  ]);
  return outcome.written ? "settled" : "changed";
};

/** Saves why a webhook's registration failed. "changed" when the webhook changed since it was read. */
export const putRegistrationFailure = async (
  db: Database,
  tenantId: TenantId,
  webhook: WebhookItem,
  { reason, now }: { reason: string; now: number },
): Promise<"settled" | "changed"> => {
  const change = { status: "FAILED", statusReason: reason, modifiedAt: now } as const;
  const outcome = await transact(db, [changeAsRead(tenantId, webhook, change)]);
  return outcome.written ? "settled" : "changed";
};

/** Transaction write: updates a webhook that is unchanged since it was read. */
const changeAsRead = (
  tenantId: TenantId,
  { id, status, modifiedAt, externalContext, filter }: WebhookItem,
  change: Partial<WebhookItem>,
): TransactionWrite => {
  const read = Object.entries({ status, modifiedAt, externalContext, filter });
  const set = Object.entries(change);
  return {
    Update: {
      Key: webhookKey(tenantId, id),
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: read.map(([name]) => `#${name} = :read_${name}`).join(" AND "),
      ExpressionAttributeNames: Object.fromEntries(
        [...set, ...read].map(([name]) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries([
        ...set.map(([name, value]) => [`:${name}`, value]),
        ...read.map(([name, value]) => [`:read_${name}`, value]),
      ]),
    },
  };
};
