import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { InsertOutcome } from "../../platform/db/insert-together.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { deliveryKey, otherDeliveryKey, signedBodyKey } from "../keys.ts";
import { DeliveryItem } from "../webhook/items.ts";
import {
  type ClaimedDelivery,
  claimDelivery,
  dayMs,
  getDelivery,
  type StoredDelivery,
  stored,
} from "./store.ts";

/** Mark of a signed body; another delivery of it is a duplicate until `until`, Unix milliseconds. */
const SignedBodyItem = z.object({ id: z.string(), until: z.int() });

/** A received delivery to store. `signedBody`: digest that deduplicates it, in addition to its id; undefined for none. */
export type DeliveryClaim = { item: DeliveryItem; signedBody: string | undefined };

/** Builds the items that claim a delivery: itself, and the mark of its signed body, by its digest, if it has one. */
export const buildClaim = (tenantId: TenantId, { item, signedBody }: DeliveryClaim) => {
  const delivery = stored(tenantId, deliveryKey(tenantId, item.webhookId, item.id), item);
  return signedBody === undefined
    ? [delivery]
    : [delivery, toSignedBodyItem(tenantId, item, signedBody)];
};

/**
 * Completes a claim after the insertion of its items where they are new. A body that another delivery brought within 24 hours before
 * makes it a duplicate. Throws a failed insert.
 * @param outcomes of the items that `buildClaim` returns
 */
export const finishClaim = async (
  db: Database,
  tenantId: TenantId,
  { item, signedBody }: DeliveryClaim,
  outcomes: readonly (InsertOutcome | undefined)[],
): Promise<ClaimedDelivery> => {
  for (const outcome of outcomes) {
    if (typeof outcome === "object") throw asError(outcome.error);
  }
  const [atId, atBody] = outcomes;
  const delivery = stored(tenantId, deliveryKey(tenantId, item.webhookId, item.id), item);
  const claimed: ClaimedDelivery =
    atId === "written" ? { outcome: "new", delivery } : await claimDelivery(db, tenantId, item);
  if (signedBody === undefined || claimed.outcome === "duplicate" || atBody === "written") {
    return claimed;
  }
  const bodyItem = toSignedBodyItem(tenantId, item, signedBody);
  return (await claimSignedBody(db, tenantId, item, bodyItem))
    ? claimed
    : { outcome: "duplicate", delivery: await toDuplicate(db, tenantId, claimed.delivery) };
};

type StoredSignedBody = ReturnType<typeof toSignedBodyItem>;

const toSignedBodyItem = (
  tenantId: TenantId,
  { id, webhookId, receivedAt }: DeliveryItem,
  signedBody: string,
) => {
  const until = receivedAt + dayMs;
  const key = signedBodyKey(tenantId, webhookId, signedBody);
  return { ...key, id, until, ttl: Math.ceil(until / 1_000) };
};

/**
 * Takes the claim of a body, which exists, if it is this delivery's, has expired, or is that of a duplicate, which was
 * not dispatched. Throws while it is not known what became of the delivery that has the mark.
 */
const claimSignedBody = async (
  db: Database,
  tenantId: TenantId,
  item: DeliveryItem,
  bodyItem: StoredSignedBody,
): Promise<boolean> => {
  const { written, item: found } = await putItem(db, {
    Item: bodyItem,
    ConditionExpression: "attribute_not_exists(pk) OR #until <= :now OR id = :id",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": item.receivedAt, ":id": item.id },
  });
  if (written) return true;
  const holder = SignedBodyItem.parse(found);
  const first = await getDelivery(db, tenantId, item.webhookId, holder.id);
  if (!first) throw new Error(`the delivery ${holder.id} of the same body is not stored yet`);
  if (first.status !== "Duplicate") return false;
  const taken = await putItem(db, {
    Item: bodyItem,
    ConditionExpression: "id = :before",
    ExpressionAttributeValues: { ":before": holder.id },
  });
  return taken.written || claimSignedBody(db, tenantId, item, bodyItem);
};

/** Moves a delivery that was not dispatched to a key of its own, as a duplicate, which frees its delivery id. */
const toDuplicate = async (
  db: Database,
  tenantId: TenantId,
  { pk, sk, ...before }: StoredDelivery,
): Promise<StoredDelivery> => {
  const key = otherDeliveryKey(tenantId, before.webhookId, before.id);
  const duplicate = stored(tenantId, key, {
    ...DeliveryItem.parse(before),
    status: "Duplicate",
    targets: [],
    parts: 0,
  });
  const isMoved = sk !== duplicate.sk;
  await transact(db, [
    { Put: { Item: duplicate } },
    ...(isMoved
      ? [
          {
            Delete: {
              Key: { pk, sk },
              ConditionExpression: "attribute_not_exists(pk) OR id = :id",
              ExpressionAttributeValues: { ":id": before.id },
            },
          },
        ]
      : []),
  ]);
  return duplicate;
};
