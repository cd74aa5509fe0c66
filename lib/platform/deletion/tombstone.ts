import type * as z from "zod";
import type { Database } from "../db/database.ts";
import { getItem } from "../db/get-item.ts";
import type { Key } from "../db/keys.ts";
import type { TenantId } from "../db/tenant-id.ts";
import { type TransactionWrite, transact } from "../db/transact.ts";
import { toDelaySeconds } from "../queue/delay-seconds.ts";
import type { Send } from "../queue/send.ts";

/** A message that requests the purge of a deleted entity. */
type PurgeMessage = { readonly type: string; readonly tenantId: TenantId };

/** Members of a message that identify a deleted entity. */
export type PurgeRef<Message extends PurgeMessage> = Omit<Message, "type">;

/** A kind of tombstones: the items that replace deleted entities until these are purged. */
export type TombstoneKind<Message extends PurgeMessage, Tombstone> = {
  /** Type of the message that requests a purge. */
  readonly type: Message["type"];
  readonly key: (ref: PurgeRef<Message>) => Key;
  readonly schema: z.ZodType<Tombstone>;
  /** Until when others may still write data of the entity, Unix milliseconds; absent for never. */
  readonly busyUntil?: (tombstone: Tombstone) => number;
};

/** Reads a tombstone; undefined once the entity is purged. */
export const getTombstone = <Message extends PurgeMessage, Tombstone>(
  db: Database,
  { key, schema }: TombstoneKind<Message, Tombstone>,
  ref: PurgeRef<Message>,
): Promise<Tombstone | undefined> => getItem(db, key(ref), schema);

/**
 * Replaces an entity by its tombstone, together with other writes. Returns "changed" when a condition fails.
 * @param writes the conditional delete of the entity, and others
 */
export const replaceByTombstone = async <Message extends PurgeMessage, Tombstone extends object>(
  db: Database,
  kind: TombstoneKind<Message, Tombstone>,
  ref: PurgeRef<Message>,
  { tombstone, writes }: { tombstone: Tombstone; writes: readonly TransactionWrite[] },
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, [
    ...writes,
    { Put: { Item: { ...kind.key(ref), ...tombstone } } },
  ]);
  return outcome.written ? "written" : "changed";
};

/**
 * Queues the purge of a deleted entity, immediately or after a delay of at most 15 minutes;
 * idempotent.
 */
export const requestPurge = <Message extends PurgeMessage, Tombstone>(
  send: Send,
  { type }: TombstoneKind<Message, Tombstone>,
  ref: PurgeRef<Message>,
  delayMs = 0,
): Promise<void> => send("housekeeping", ref.tenantId, { type, ...ref }, toDelaySeconds(delayMs));
