import type { Database } from "../../platform/db/database.ts";
import type { PurgedObjects } from "../../platform/db/large-value.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { deleteTombstone, forgetRemote, getDeletedWebhook } from "./deletion-store.ts";
import { deleteChildren, listObjects, listWebhookChildren } from "./purge-store.ts";
import { requestPurge } from "./request-purge.ts";
import { requestUnregistration } from "./request-registration.ts";

/**
 * Queues the removal of a deleted webhook's listener and deletes its data; a no-op for an existing webhook.
 * Idempotent; requests another run when time runs out.
 * @param until when to stop, Unix milliseconds
 */
export const purgeWebhook = async (
  tenantId: TenantId,
  webhookId: string,
  deps: { db: Database; objects: PurgedObjects; send: Send; clock: Clock; until: number },
): Promise<void> => {
  const { db, objects, send } = deps;
  const deleted = await getDeletedWebhook(db, tenantId, webhookId);
  if (!deleted) return;
  if (deleted.remote) {
    await requestUnregistration(send, tenantId, webhookId, deleted);
    await forgetRemote(db, tenantId, webhookId);
  }
  const outcome = await purgeList(
    listWebhookChildren(db, tenantId, webhookId),
    async (children) => {
      await objects.remove(children.flatMap(listObjects));
      await deleteChildren(db, tenantId, children);
    },
    { isTimeOver: () => deps.clock() >= deps.until },
  );
  if (outcome === "more") return requestPurge(send, tenantId, webhookId);
  await deleteTombstone(db, tenantId, webhookId);
};
