import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { listAll } from "../db/list-page.ts";
import type { TransactionWrite } from "../db/transact.ts";
import { deleteItem, updateItem } from "../db/write-item.ts";
import { outboxKey, outboxLists } from "./keys.ts";
import { OrganizationEvent } from "./organization-event.ts";

/** An event that is stored until it was published to every subscriber. */
const OutboxEvent = OrganizationEvent.extend({
  /** Number of times that a sweep has sent it. */
  sends: z.int().default(0),
  /** Time of the next resend, Unix milliseconds; undefined before the first sweep. */
  resendAt: z.int().optional(),
});
export type OutboxEvent = z.output<typeof OutboxEvent>;

/** Sixteen shards, by the event's id. */
const buildShardKey = (eventId: string) =>
  outboxKey(createHash("sha256").update(eventId).digest("hex").slice(0, 1), eventId);

/** Builds the write that stores an event, for the transaction that causes it. */
export const putInOutbox = (event: OrganizationEvent): TransactionWrite => ({
  Put: { Item: { ...buildShardKey(event.id), ...event } },
});

/** OUTBOX#…: all events that are not published yet; null for one that cannot be parsed. */
export const listOutbox = async (db: Database): Promise<(OutboxEvent | null)[]> => {
  const shards = await Promise.all(
    outboxLists.map((list) =>
      Array.fromAsync(listAll(db, OutboxEvent.nullable().catch(null), list)),
    ),
  );
  return shards.flat();
};

/** Schedules the next resend of an event; false when it was published, or another sweep sends it. */
export const noteResend = async (
  db: Database,
  { id, resendAt }: OutboxEvent,
  next: number,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: buildShardKey(id),
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

/** Deletes an event that was published to every subscriber. */
export const deleteFromOutbox = async (db: Database, eventId: string): Promise<void> => {
  await deleteItem(db, { Key: buildShardKey(eventId) });
};
