import * as z from "zod";
import type { Database } from "../db/database.ts";
import { tableAttributes } from "../db/table.ts";
import { updateItem } from "../db/write-item.ts";
import { tenantSlotsKey } from "./keys.ts";

/** Names the slots of one tenant on one queue. */
export type SlotGroup = { queue: string; group: string };

/** A numbered slot as its holder knows it. `until`: Unix milliseconds. */
export type SlotLease = { slot: number; holder: string; until: number };

const Slot = z.object({ holder: z.string(), until: z.number() });
const slotName = (slot: number): string => `slot${slot}`;

/** Housekeeping only: a slot is free from its `until` on. */
const keptSeconds = 3_600;

const names = (slot: number) => ({
  "#slot": slotName(slot),
  "#holder": "holder",
  "#until": "until",
  "#ttl": tableAttributes.timeToLive,
});
const ttlOf = (until: number): number => Math.ceil(until / 1_000) + keptSeconds;

/**
 * SLOTS#queue#group: takes the slot of this number if nobody holds it. Returns, taken or not, the numbers of the
 * slots that are held now.
 */
export const takeSlot = async (
  db: Database,
  { queue, group }: SlotGroup,
  { slot, holder, until }: SlotLease,
  now: number,
): Promise<{ isTaken: boolean; held: ReadonlySet<number> }> => {
  const { written, item } = await updateItem(db, {
    Key: tenantSlotsKey(queue, group),
    UpdateExpression: "SET #slot = :slot, #ttl = :ttl",
    ConditionExpression:
      "attribute_not_exists(#slot) OR #slot.#until <= :now OR #slot.#holder = :holder",
    ExpressionAttributeNames: names(slot),
    ExpressionAttributeValues: {
      ":slot": { holder, until },
      ":holder": holder,
      ":now": now,
      ":ttl": ttlOf(until),
    },
    ReturnValues: "ALL_NEW",
  });
  return { isTaken: written, held: heldSlots(item, now) };
};

const heldSlots = (item: Record<string, unknown> = {}, now: number): ReadonlySet<number> =>
  new Set(
    Object.entries(item).flatMap(([name, value]) => {
      const slot = /^slot(\d{1,4})$/.exec(name)?.[1];
      const held = Slot.safeParse(value);
      return slot !== undefined && held.success && held.data.until > now ? [Number(slot)] : [];
    }),
  );

/**
 * SLOTS#queue#group: prolongs a slot, expired or not. Returns the numbers of the slots that are held now; undefined
 * when somebody else took the slot after it had expired.
 */
export const renewSlot = async (
  db: Database,
  { queue, group }: SlotGroup,
  { slot, holder, until }: SlotLease,
  now: number,
): Promise<ReadonlySet<number> | undefined> => {
  const { written, item } = await updateItem(db, {
    Key: tenantSlotsKey(queue, group),
    UpdateExpression: "SET #slot.#until = :until, #ttl = :ttl",
    ConditionExpression: "#slot.#holder = :holder",
    ExpressionAttributeNames: names(slot),
    ExpressionAttributeValues: { ":until": until, ":holder": holder, ":ttl": ttlOf(until) },
    ReturnValues: "ALL_NEW",
  });
  return written ? heldSlots(item, now) : undefined;
};

/** SLOTS#queue#group: frees a slot; does nothing when somebody else has it. */
export const releaseSlot = async (
  db: Database,
  { queue, group }: SlotGroup,
  { slot, holder }: Pick<SlotLease, "slot" | "holder">,
): Promise<void> => {
  await updateItem(db, {
    Key: tenantSlotsKey(queue, group),
    UpdateExpression: "REMOVE #slot",
    ConditionExpression: "#slot.#holder = :holder",
    ExpressionAttributeNames: { "#slot": slotName(slot), "#holder": "holder" },
    ExpressionAttributeValues: { ":holder": holder },
  });
};
