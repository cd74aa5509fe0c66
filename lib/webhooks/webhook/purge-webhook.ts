import * as z from "zod";
import { eventWaitsList } from "../../executions/record/keys.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { listIndexedKeys } from "../../platform/db/list-indexed-page.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { type PurgeStep, purgeItems } from "../../platform/deletion/purge.ts";
import { purgedItem } from "../../platform/deletion/purged-item.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import type { Send } from "../../platform/queue/send.ts";
import { closedWebhookKey, deliveriesList, subscriberKey, webhookChildrenList } from "../keys.ts";
import type { PurgeWebhookMessage } from "../messages.ts";
import { requestUnregistration } from "./request-registration.ts";
import { type WebhookTombstone, webhookTombstones } from "./tombstone.ts";

type WebhookRef = PurgeRef<PurgeWebhookMessage>;

/** An item of a webhook, and the members of a subscription that its mirror is found by. */
const Child = purgedItem(["payload"], {
  bodyObject: z.string().optional(),
  id: z.string().optional(),
  subscriberType: z.string().optional(),
  subscriberId: z.string().optional(),
});
type Child = z.output<typeof Child>;

/** Returns the steps that queue the removal of a webhook's listener and delete its data. */
export const purgeWebhook = (
  ref: WebhookRef,
  tombstone: WebhookTombstone,
  send: Send,
): readonly PurgeStep[] => [
  async ({ db }) => {
    if (!tombstone.remote) return "done";
    await requestUnregistration(send, ref.tenantId, ref.webhookId, tombstone);
    // So that the next run does not request it again.
    await updateItem(db, patch(webhookTombstones.key(ref), { set: { remote: null } }));
    return "done";
  },
  purgeItems({
    list: (db) => listChildren(db, ref),
    objects: ({ objects, bodyObject }) => [...objects, ...(bodyObject ? [bodyObject] : [])],
    before: (children, { db }) => deleteTogether(db, children.flatMap(findMirror(ref))),
    isLast: ({ sk }) => sk.startsWith("DELIVERY"),
  }),
];

/**
 * TENANT#t#WEBHOOK#w, and the partitions of its deliveries and waits: all items of a webhook, but the mark that it was deleted,
 * which expires. A delivery comes after its results, because the next purge finds them by it.
 */
async function* listChildren(
  db: Database,
  { tenantId, webhookId }: WebhookRef,
): AsyncGenerator<Child> {
  const deliveries = { list: deliveriesList(tenantId, webhookId) };
  for await (const { pk } of listIndexedKeys(db, deliveries)) {
    yield* listAll(db, Child, { pk, prefix: "" }, { newestFirst: true });
  }
  const { sk: closed } = closedWebhookKey(tenantId, webhookId);
  for await (const child of listAll(db, Child, webhookChildrenList(tenantId, webhookId))) {
    if (child.sk !== closed) yield child;
  }
  yield* listAll(db, Child, eventWaitsList(tenantId, webhookId));
}

/** Returns the key of a subscription's mirror, which is in the partition of its subscriber. */
const findMirror =
  ({ tenantId }: WebhookRef) =>
  ({ id, subscriberType, subscriberId }: Child) =>
    id !== undefined && subscriberType !== undefined && subscriberId !== undefined
      ? [subscriberKey(tenantId, { type: subscriberType, id: subscriberId }, id)]
      : [];
