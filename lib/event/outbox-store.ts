import { createHash } from "node:crypto";
import { outboxKey } from "../db/keys.ts";
import type { TransactionWrite } from "../db/transact.ts";
import type { OrganizationEvent } from "./organization-event.ts";

/** Sixteen shards, by the event's id. */
const shardOf = (eventId: string): string =>
  createHash("sha256").update(eventId).digest("hex").slice(0, 1);

/** Part of the transaction in which something happened: it is to be told of, and nothing loses it. */
export const putInOutbox = (event: OrganizationEvent): TransactionWrite => ({
  Put: { Item: { ...outboxKey(shardOf(event.id), event.id), ...event } },
});
