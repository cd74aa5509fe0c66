import { expect } from "vitest";
import { releaseSlot, takeSlot } from "../../lib/platform/slots/slot-store.ts";
import { tableOfStack } from "./stack-table.ts";

/** Has other function calls work for a tenant, as many as may; returns what ends them. */
export const fillSlots = async (pool: string, group: string, limit: number) => {
  const db = tableOfStack();
  const leases = Array.from({ length: limit }, (_, slot) => ({
    slot,
    holder: "other",
    until: Date.now() + 300_000,
  }));
  for (const lease of leases) {
    expect((await takeSlot(db, { pool, group }, lease, Date.now())).isTaken).toBe(true);
  }
  return async () => {
    for (const lease of leases) await releaseSlot(db, { pool, group }, lease);
  };
};
