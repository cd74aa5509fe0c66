import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { type LeaseMembers, releaseLease, takeLease } from "../../platform/db/lease.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { alertKey } from "../keys.ts";

/** Identifies the notification of one recipient about one event. */
export type AlertName = { eventId: string; recipient: string };

/** Longer than a call's timeout, shorter than the queue's visibility timeout after a crash. */
const leaseMs = 45_000;
/** Longer than a message stays in the queue and its dead-letter queue together. */
const keptSeconds = 30 * 24 * 3_600;

const alertPlace = ({ eventId, recipient }: AlertName): LeaseMembers => {
  const name = JSON.stringify([eventId, recipient]);
  const key = alertKey(createHash("sha256").update(name).digest("hex"));
  return { key, holder: "holder", until: "leaseUntil" };
};

/**
 * Acquires a lease on a notification: "sent" when the recipient was notified before, "held" while another function
 * has the lease.
 */
export const claimAlert = async (
  db: Database,
  name: AlertName,
  { holder, now }: { holder: string; now: number },
): Promise<"claimed" | "sent" | "held"> => {
  const lease = { holder, until: now + leaseMs };
  const { written, item } = await updateItem(
    db,
    takeLease(alertPlace(name), lease, now, {
      set: { [tableAttributes.timeToLive]: Math.ceil(now / 1_000) + keptSeconds },
      expect: { sent: undefined },
    }),
  );
  if (written) return "claimed";
  return item?.sent === true ? "sent" : "held";
};

/** Marks a notification as sent, so that it is not repeated. */
export const markSent = async (db: Database, name: AlertName): Promise<void> => {
  await updateItem(db, {
    Key: alertPlace(name).key,
    UpdateExpression: "SET sent = :true",
    ExpressionAttributeValues: { ":true": true },
  });
};

/** Releases the lease after a failure, so that the next attempt need not wait. */
export const releaseAlert = async (
  db: Database,
  name: AlertName,
  holder: string,
): Promise<void> => {
  await updateItem(db, releaseLease(alertPlace(name), { holder }));
};
