import type { Key } from "../db/keys.ts";

/** Counts the delays of a message of an ordered queue; `messageId` is the queue's. */
export const deferralsKey = (messageId: string): Key => ({
  pk: `DEFERRALS#${messageId}`,
  sk: "DEFERRALS",
});
