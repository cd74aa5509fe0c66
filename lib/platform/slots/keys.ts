import type { Key } from "../db/keys.ts";

/** Slots of a tenant or organization (`group`) in a queue's consumer or a synchronous operation (`pool`). */
export const tenantSlotsKey = (pool: string, group: string): Key => ({
  pk: `SLOTS#${pool}#${group}`,
  sk: "SLOTS",
});
