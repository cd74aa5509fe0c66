import { uuidAt } from "../runtime/runtime.ts";

/** The latest time that a version 7 UUID can hold, in Unix milliseconds. */
const latestTime = 2 ** 48 - 1;

/**
 * Returns the range of sort keys, a prefix and a version 7 UUID, that were made from one time to another, both
 * inclusive, in Unix milliseconds.
 */
export const uuidRange = (
  prefix: string,
  from: number | undefined,
  to: number | undefined,
): { from: string; to: string } => ({
  from: prefix + timePrefix(from ?? 0),
  // "~" sorts after every character of a UUID.
  to: `${prefix}${timePrefix(to ?? latestTime)}~`,
});

/** The first 13 characters of a version 7 UUID encode its millisecond. */
const timePrefix = (time: number): string =>
  uuidAt(Math.min(latestTime, Math.max(0, time)), new Uint8Array(10)).slice(0, 13);
