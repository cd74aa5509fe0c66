import * as z from "zod";
import type { Database } from "../db/database.ts";
import { tableAttributes } from "../db/table.ts";
import { updateItem } from "../db/write-item.ts";
import { tenantSlotsKey } from "./keys.ts";

/** Slots of one tenant in one pool. */
export type SlotGroup = { pool: string; group: string };

/** Lease of a numbered slot. `until`: Unix milliseconds. */
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
const computeTtl = (until: number): number => Math.ceil(until / 1_000) + keptSeconds;

/** SLOTS#pool#group: takes a slot if it is free. Returns the numbers of the held slots in either case. */
export const takeSlot = async (
  db: Database,
  { pool, group }: SlotGroup,
  { slot, holder, until }: SlotLease,
  now: number,
): Promise<{ isTaken: boolean; held: ReadonlySet<number> }> => {
  const { written, item } = await updateItem(db, {
    Key: tenantSlotsKey(pool, group),
    UpdateExpression: "SET #slot = :slot, #ttl = :ttl",
    ConditionExpression:
      "attribute_not_exists(#slot) OR #slot.#until <= :now OR #slot.#holder = :holder",
    ExpressionAttributeNames: names(slot),
    ExpressionAttributeValues: {
      ":slot": { holder, until },
      ":holder": holder,
      ":now": now,
      ":ttl": computeTtl(until),
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
 * SLOTS#pool#group: renews a slot, even an expired one. Returns the numbers of the held slots; undefined when another
 * holder took the slot.
 */
export const renewSlot = async (
  db: Database,
  { pool, group }: SlotGroup,
  { slot, holder, until }: SlotLease,
  now: number,
): Promise<ReadonlySet<number> | undefined> => {
  const { written, item } = await updateItem(db, {
    Key: tenantSlotsKey(pool, group),
    UpdateExpression: "SET #slot.#until = :until, #ttl = :ttl",
    ConditionExpression: "#slot.#holder = :holder",
    ExpressionAttributeNames: names(slot),
    ExpressionAttributeValues: { ":until": until, ":holder": holder, ":ttl": computeTtl(until) },
    ReturnValues: "ALL_NEW",
  });
  return written ? heldSlots(item, now) : undefined;
};

/** SLOTS#pool#group: frees a slot, unless another holder took it. */
export const releaseSlot = async (
  db: Database,
  { pool, group }: SlotGroup,
  { slot, holder }: Pick<SlotLease, "slot" | "holder">,
): Promise<void> => {
  await updateItem(db, {
    Key: tenantSlotsKey(pool, group),
    UpdateExpression: "REMOVE #slot",
    ConditionExpression: "#slot.#holder = :holder",
    ExpressionAttributeNames: { "#slot": slotName(slot), "#holder": "holder" },
    ExpressionAttributeValues: { ":holder": holder },
  });
};
