import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { WebhookItem } from "./items.ts";
import { getWebhook } from "./store.ts";

/** Returns a webhook. Throws 404. */
export const requireWebhook = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<WebhookItem> => {
  const webhook = await getWebhook(db, tenantId, webhookId);
  if (!webhook) throw notFound("webhook", webhookId);
  return webhook;
};
