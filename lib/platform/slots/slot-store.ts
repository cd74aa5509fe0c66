import * as z from "zod";
import type { Database } from "../db/database.ts";
import { type LeaseMembers, releaseLease, renewLease, takeLease } from "../db/lease.ts";
import { tableAttributes } from "../db/table.ts";
import { updateItem } from "../db/write-item.ts";
import { tenantSlotsKey } from "./keys.ts";

/** Slots of one tenant in one pool. */
export type SlotGroup = { pool: string; group: string };

/** Lease of a numbered slot. `until`: Unix milliseconds. */
export type SlotLease = { slot: number; holder: string; until: number };

const Slot = z.object({ holder: z.string(), until: z.number() });

/** SLOTS#pool#group: the lease of a slot, a member of the group's item. */
const slotPlace = ({ pool, group }: SlotGroup, slot: number): LeaseMembers => {
  const whole = `slot${slot}`;
  return {
    key: tenantSlotsKey(pool, group),
    holder: `${whole}.holder`,
    until: `${whole}.until`,
    whole,
  };
};

/** Housekeeping only: a slot is free from its `until` on. */
const keptSeconds = 3_600;

const keepUntil = (until: number) => ({
  set: { [tableAttributes.timeToLive]: Math.ceil(until / 1_000) + keptSeconds },
});

/** Takes a slot if it is free. Returns the numbers of the held slots in either case. */
export const takeSlot = async (
  db: Database,
  slots: SlotGroup,
  { slot, ...lease }: SlotLease,
  now: number,
): Promise<{ isTaken: boolean; held: ReadonlySet<number> }> => {
  const { written, item } = await updateItem(db, {
    ...takeLease(slotPlace(slots, slot), lease, now, keepUntil(lease.until)),
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

/** Renews a slot, even an expired one. Returns the numbers of the held slots; undefined when another holder took it. */
export const renewSlot = async (
  db: Database,
  slots: SlotGroup,
  { slot, ...lease }: SlotLease,
  now: number,
): Promise<ReadonlySet<number> | undefined> => {
  const { written, item } = await updateItem(db, {
    ...renewLease(slotPlace(slots, slot), lease, keepUntil(lease.until)),
    ReturnValues: "ALL_NEW",
  });
  return written ? heldSlots(item, now) : undefined;
};

/** Frees a slot, unless another holder took it. */
export const releaseSlot = async (
  db: Database,
  slots: SlotGroup,
  { slot, holder }: Pick<SlotLease, "slot" | "holder">,
): Promise<void> => {
  await updateItem(db, releaseLease(slotPlace(slots, slot), { holder }));
};
