import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { alertKey } from "../keys.ts";

/** Identifies the notification of one recipient about one event. */
export type AlertName = { eventId: string; recipient: string };

/** Longer than a call's timeout, shorter than the queue's visibility timeout after a crash. */
const leaseMs = 45_000;
/** Longer than a message stays in the queue and its dead-letter queue together. */
const keptSeconds = 30 * 24 * 3_600;

const buildAlertKey = ({ eventId, recipient }: AlertName) =>
  alertKey(
    createHash("sha256")
      .update(JSON.stringify([eventId, recipient]))
      .digest("hex"),
  );

/**
 * Acquires a lease on a notification: "sent" when the recipient was notified before, "held" while another function
 * has the lease.
 */
export const claimAlert = async (
  db: Database,
  name: AlertName,
  now: number,
): Promise<"claimed" | "sent" | "held"> => {
  const { written, item } = await updateItem(db, {
    Key: buildAlertKey(name),
    UpdateExpression: "SET leaseUntil = :until, #ttl = :ttl",
    ConditionExpression:
      "attribute_not_exists(sent) AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now)",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":until": now + leaseMs,
      ":ttl": Math.ceil(now / 1_000) + keptSeconds,
      ":now": now,
    },
  });
  if (written) return "claimed";
  return item?.sent === true ? "sent" : "held";
};

/** Marks a notification as sent, so that it is not repeated. */
export const markSent = async (db: Database, name: AlertName): Promise<void> => {
  await updateItem(db, {
    Key: buildAlertKey(name),
    UpdateExpression: "SET sent = :true",
    ExpressionAttributeValues: { ":true": true },
  });
};

/** Releases the lease after a failure, so that the next attempt need not wait. */
export const releaseAlert = async (db: Database, name: AlertName): Promise<void> => {
  await updateItem(db, {
    Key: buildAlertKey(name),
    UpdateExpression: "SET leaseUntil = :none",
    ExpressionAttributeValues: { ":none": 0 },
  });
};
