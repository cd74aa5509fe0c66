import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed, webhookKey } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { type WebhookKey, webhooksList } from "../keys.ts";
import { WebhookItem } from "./items.ts";

export * from "./secret.ts";
export * from "./subscription-store.ts";

/** Maximum webhooks per tenant: the list is returned whole. */
export const maxWebhooks = 500;

/** TENANT#t / WEBHOOK#id: one webhook. */
export const getWebhook = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<WebhookItem | undefined> => getItem(db, webhookKey(tenantId, webhookId), WebhookItem);

/** TENANT#t / WEBHOOK#…: the tenant's webhooks, newest first. */
export const listWebhooks = async (db: Database, tenantId: TenantId): Promise<WebhookItem[]> =>
  (await Array.fromAsync(listAll(db, WebhookItem, webhooksList(tenantId)))).reverse();

/** Returns whether a tenant has reached its webhook limit. Concurrent creates may exceed it slightly. */
export const hasMostWebhooks = async (db: Database, tenantId: TenantId): Promise<boolean> => {
  const beyond = { size: 1, skip: maxWebhooks - 1 };
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
  await putItem(db, { Item });
};

/** Changed members of a webhook; undefined members are unchanged. */
export type WebhookChange = Partial<Omit<WebhookItem, "id" | "provider" | "createdAt">>;

/** Changes a webhook and returns it; undefined when it was deleted or no longer matches `before`. */
export const changeWebhook = (
  db: Database,
  { tenantId, webhookId }: WebhookKey,
  change: WebhookChange & { modifiedAt: number },
  before?: Pick<WebhookItem, "status" | "remote" | "externalContext">,
): Promise<WebhookItem | undefined> =>
  patchItem(db, webhookKey(tenantId, webhookId), WebhookItem, {
    set: change,
    expect: before && {
      status: before.status,
      remote: before.remote,
      externalContext: before.externalContext,
    },
  });
