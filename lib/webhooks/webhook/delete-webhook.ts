import type { Database } from "../../platform/db/database.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import {
  getTombstone,
  replaceByTombstone,
  requestPurge,
} from "../../platform/deletion/tombstone.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { closedWebhookKey } from "../keys.ts";
import type { WebhookItem } from "./items.ts";
import { getWebhook } from "./store.ts";
import { webhookTombstones } from "./tombstone.ts";

/**
 * Time in which late deliveries of a deleted webhook are dropped: longer than a queue keeps a
 * message.
 */
const closedSeconds = 30 * 86_400;

/**
 * Deletes a webhook immediately; its subscriptions, deliveries and listener are purged through a
 * queue. Throws 404. Repeating a call that failed halfway requests the purge again.
 */
export const deleteWebhook = (
  { db, send, clock }: { db: Database; send: Send; clock: Clock },
  { tenantId, webhookId }: { tenantId: TenantId; webhookId: string },
): Promise<void> => {
  const ref = { tenantId, webhookId };
  const request = () => requestPurge(send, webhookTombstones, ref);
  return deleteEntity({
    read: () => getWebhook(db, tenantId, webhookId),
    replace: (webhook) => replaceWebhookByTombstone(db, tenantId, webhook, clock()),
    requestPurge: request,
    requestLeftPurges: async () => {
      if (await getTombstone(db, webhookTombstones, ref)) await request();
    },
    missing: () => notFound("webhook", webhookId),
    conflict: () => beingChanged("webhook", webhookId),
  });
};

/** Replaces a webhook by a tombstone; "changed" when it was deleted or its listener changed since it was read. */
export const replaceWebhookByTombstone = (
  db: Database,
  tenantId: TenantId,
  { id, provider, remote, externalContext }: WebhookItem,
  now: number,
): Promise<"written" | "changed"> =>
  replaceByTombstone(
    db,
    webhookTombstones,
    { tenantId, webhookId: id },
    {
      tombstone: { provider, remote, externalContext },
      writes: [
        {
          Delete: {
            Key: webhookKey(tenantId, id),
            ConditionExpression:
              "attribute_exists(pk) AND remote = :remote AND externalContext = :externalContext",
            ExpressionAttributeValues: { ":remote": remote, ":externalContext": externalContext },
          },
        },
        {
          Put: {
            Item: {
              ...closedWebhookKey(tenantId, id),
              ttl: Math.ceil(now / 1_000) + closedSeconds,
            },
          },
        },
      ],
    },
  );
