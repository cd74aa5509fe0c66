import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import { listed, webhookKey, webhooksList } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { WebhookItem } from "./items.ts";

export * from "../delivery/result-store.ts";
export * from "../delivery/store.ts";
export * from "./secret.ts";
export * from "./subscription-store.ts";

/** Maximum webhooks per tenant: the list is returned whole. */
export const mostWebhooks = 500;

/** TENANT#t / WEBHOOK#id: one webhook. */
export const getWebhook = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<WebhookItem | undefined> => {
  const Key = webhookKey(tenantId, webhookId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && WebhookItem.parse(Item);
};

/** TENANT#t / WEBHOOK#…: the tenant's webhooks, newest first. */
export const listWebhooks = async (db: Database, tenantId: TenantId): Promise<WebhookItem[]> =>
  (await Array.fromAsync(listAll(db, WebhookItem, webhooksList(tenantId)))).reverse();

/** Returns whether a tenant has reached its webhook limit. Concurrent creates may exceed it slightly. */
export const hasMostWebhooks = async (db: Database, tenantId: TenantId): Promise<boolean> => {
  const beyond = { size: 1, skip: mostWebhooks - 1 };
  const { items } = await listPage(db, WebhookItem, { list: webhooksList(tenantId) }, beyond);
  return items.length > 0;
};

/** Writes a new webhook. */
export const putWebhook = async (
  db: Database,
  tenantId: TenantId,
  item: WebhookItem,
): Promise<void> => {
  const Item = { ...listed(webhookKey(tenantId, item.id)), ...item };
  await db.client.send(new PutCommand({ TableName: db.table, Item }));
};

/** Changed members of a webhook; undefined members are unchanged. */
export type WebhookChange = Partial<Omit<WebhookItem, "id" | "provider" | "createdAt">>;

/** Updates a webhook and returns it; undefined when it was deleted or no longer matches `before`. */
export const updateWebhook = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  change: WebhookChange & { modifiedAt: number },
  before?: Pick<WebhookItem, "status" | "remote" | "externalContext">,
): Promise<WebhookItem | undefined> => {
  const expected = before ? expectedOf(before) : [];
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  try {
    const command = new UpdateCommand({
      TableName: db.table,
      Key: webhookKey(tenantId, webhookId),
      UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: [
        "attribute_exists(pk)",
        ...expected.map(([name]) => `#${name} = :old_${name}`),
      ].join(" AND "),
      ExpressionAttributeNames: Object.fromEntries(
        [...members, ...expected].map(([name]) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries([
        ...members.map(([name, value]) => [`:${name}`, value]),
        ...expected.map(([name, value]) => [`:old_${name}`, value]),
      ]),
      ReturnValues: "ALL_NEW",
    });
    const { Attributes } = await db.client.send(command);
    return WebhookItem.parse(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

const expectedOf = ({
  status,
  remote,
  externalContext,
}: Pick<WebhookItem, "status" | "remote" | "externalContext">) =>
  Object.entries({ status, remote, externalContext });
