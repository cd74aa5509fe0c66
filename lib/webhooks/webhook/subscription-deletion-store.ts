import * as z from "zod";
import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import type { PurgeStep } from "../../platform/deletion/purge.ts";
import { purgeList } from "../../platform/deletion/purge-list.ts";
import { subscriberKey, subscriberList, subscriptionKey } from "../keys.ts";
import { type SubscriptionItem, sizeOfSubscription } from "./items.ts";
import { SubscriberType } from "./schemas.ts";

/** Item under the subscriber that points to its subscription. */
const Mirror = z.object({
  type: SubscriberType,
  id: z.string(),
  subscriptionId: z.string(),
  webhookId: z.string(),
  bytes: z.int(),
});
type Mirror = z.output<typeof Mirror>;

/** Deletes a subscription; "gone" when it or its webhook does not exist. */
export const removeSubscription = (
  db: Database,
  tenantId: TenantId,
  item: SubscriptionItem,
): Promise<"removed" | "gone"> =>
  removeBoth(db, tenantId, {
    type: item.subscriberType,
    id: item.subscriberId,
    subscriptionId: item.id,
    webhookId: item.webhookId,
    bytes: sizeOfSubscription(item),
  });

const removeBoth = async (
  db: Database,
  tenantId: TenantId,
  { webhookId, subscriptionId, bytes, ...subscriber }: Mirror,
): Promise<"removed" | "gone"> => {
  const outcome = await transact(db, [
    {
      Delete: {
        Key: subscriptionKey(tenantId, webhookId, subscriptionId),
        ...ifExists,
      },
    },
    { Delete: { Key: subscriberKey(tenantId, subscriber, subscriptionId) } },
    {
      Update: {
        Key: webhookKey(tenantId, webhookId),
        UpdateExpression: "ADD subscriptions :less, subscriptionBytes :lessBytes",
        ...ifExists,
        ExpressionAttributeValues: { ":less": -1, ":lessBytes": -bytes },
      },
    },
  ]);
  return outcome.written ? "removed" : "gone";
};

/** TENANT#t#SUBSCRIBER#type#id / SUB#…: returns the step that deletes a subscriber's subscriptions. */
export const purgeSubscriptions =
  (
    tenantId: TenantId,
    subscriber: { type: z.output<typeof SubscriberType>; id: string },
  ): PurgeStep =>
  ({ db, isTimeOver }) =>
    purgeList(
      listAll(db, Mirror, subscriberList(tenantId, subscriber)),
      async ([mirror]) => {
        if (mirror && (await removeBoth(db, tenantId, mirror)) === "gone") {
          await removeLeftOvers(db, tenantId, mirror);
        }
      },
      { isTimeOver, batchSize: 1 },
    );

/** Deletes the remains of a subscription that is only partly stored. */
const removeLeftOvers = async (
  db: Database,
  tenantId: TenantId,
  { webhookId, subscriptionId, ...subscriber }: Mirror,
): Promise<void> => {
  await deleteItem(db, { Key: subscriptionKey(tenantId, webhookId, subscriptionId) });
  await deleteTogether(db, [subscriberKey(tenantId, subscriber, subscriptionId)]);
};
