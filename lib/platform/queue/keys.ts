import type { Key } from "../db/keys.ts";

/** Slots: the function calls that process a queue's messages for a tenant or its organization (`group`). */
export const tenantSlotsKey = (queue: string, group: string): Key => ({
  pk: `SLOTS#${queue}#${group}`,
  sk: "SLOTS",
});

/** Counts the delays of a message of an ordered queue; `messageId` is the queue's. */
export const deferralsKey = (messageId: string): Key => ({
  pk: `DEFERRALS#${messageId}`,
  sk: "DEFERRALS",
});
