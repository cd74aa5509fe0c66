import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { getDeletedWebhook, replaceWebhookByTombstone } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { getWebhook } from "./store.ts";

/**
 * Deletes a webhook at once; its subscriptions, deliveries and listener are purged through a queue. Throws 404.
 * Repeating a call that failed halfway requests the purge again.
 */
export const deleteWebhook = async (
  tenantId: TenantId,
  webhookId: string,
  { db, send, clock }: { db: Database; send: Send; clock: Clock },
): Promise<void> => {
  return retryOnConflict({ error: () => beingChanged("webhook", webhookId) }, async () => {
    const webhook = await getWebhook(db, tenantId, webhookId);
    if (!webhook) {
      if (await getDeletedWebhook(db, tenantId, webhookId)) {
        await requestPurge(send, tenantId, webhookId);
      }
      throw notFound("webhook", webhookId);
    }
    const outcome = await replaceWebhookByTombstone(db, tenantId, webhook, clock());
    return outcome === "changed" ? outcome : requestPurge(send, tenantId, webhookId);
  });
};
