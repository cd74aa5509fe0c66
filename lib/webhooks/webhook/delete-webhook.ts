import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { getDeletedWebhook, replaceWebhookByMark } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { getWebhook } from "./store.ts";

const attempts = 5;

/**
 * Deletes a webhook: at once for everybody who looks or delivers; its subscriptions, its deliveries and its
 * listener on the provider's side soon after, by a queue. Throws 404. A call that failed half-way may be
 * repeated: the webhook is gone by then (404), and the rest is asked for again.
 */
export const deleteWebhook = async (
  tenantId: TenantId,
  webhookId: string,
  { db, send }: { db: Database; send: Send },
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const webhook = await getWebhook(db, tenantId, webhookId);
    if (!webhook) {
      if (await getDeletedWebhook(db, tenantId, webhookId)) {
        await requestPurge(send, tenantId, webhookId);
      }
      throw notFound("webhook", webhookId);
    }
    if ((await replaceWebhookByMark(db, tenantId, webhook)) === "written") {
      return requestPurge(send, tenantId, webhookId);
    }
  }
  throw conflict(`The webhook "${webhookId}" is being changed by others. Try again.`);
};
