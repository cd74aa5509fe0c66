import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { listAll } from "../db/list-page.ts";
import type { TransactionWrite } from "../db/transact.ts";
import { deleteItem, updateItem } from "../db/write-item.ts";
import { outboxKey, outboxLists } from "./keys.ts";
import { OrganizationEvent } from "./organization-event.ts";

/** An event that stands until everybody was told of it. */
const StandingEvent = OrganizationEvent.extend({
  /** How often a sweep has sent it. */
  sends: z.int().default(0),
  /** When it is to be sent again, Unix milliseconds; undefined before the first sweep. */
  resendAt: z.int().optional(),
});
export type StandingEvent = z.output<typeof StandingEvent>;

/** Sixteen shards, by the event's id. */
const keyOf = (eventId: string) =>
  outboxKey(createHash("sha256").update(eventId).digest("hex").slice(0, 1), eventId);

/** Part of the transaction in which something happened: it is to be told of, and nothing loses it. */
export const putInOutbox = (event: OrganizationEvent): TransactionWrite => ({
  Put: { Item: { ...keyOf(event.id), ...event } },
});

/** OUTBOX#…: every event that somebody was not told of yet; null for one that cannot be read. */
export const listOutbox = async (db: Database): Promise<(StandingEvent | null)[]> => {
  const shards = await Promise.all(
    outboxLists.map((list) =>
      Array.fromAsync(listAll(db, StandingEvent.nullable().catch(null), list)),
    ),
  );
  return shards.flat();
};

/** Notes that an event is sent again; false when it was told of, or another sweep sends it. */
export const noteResend = async (
  db: Database,
  { id, resendAt }: StandingEvent,
  next: number,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: keyOf(id),
    UpdateExpression: "SET resendAt = :next ADD sends :one",
    ConditionExpression: `attribute_exists(pk) AND ${
      resendAt === undefined ? "attribute_not_exists(resendAt)" : "resendAt = :seen"
    }`,
    ExpressionAttributeValues: {
      ":next": next,
      ":one": 1,
      ...(resendAt !== undefined && { ":seen": resendAt }),
    },
  });
  return written;
};

/** Everybody was told of an event. */
export const deleteFromOutbox = async (db: Database, eventId: string): Promise<void> => {
  await deleteItem(db, { Key: keyOf(eventId) });
};
