import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { requireWebhook } from "./require-webhook.ts";
import { removeSubscription } from "./subscription-deletion-store.ts";
import { getSubscription } from "./subscription-store.ts";

/** Deletes a subscription. Throws 404 for an unknown webhook or subscription. */
export const deleteSubscription = async (
  { db }: { db: Database },
  {
    tenantId,
    webhookId,
    subscriptionId,
  }: { tenantId: TenantId; webhookId: string; subscriptionId: string },
): Promise<void> => {
  await requireWebhook(db, tenantId, webhookId);
  const subscription = await getSubscription(db, tenantId, webhookId, subscriptionId);
  const removed = subscription && (await removeSubscription(db, tenantId, subscription));
  if (removed !== "removed") throw notFound("subscription", subscriptionId);
};
