import * as z from "zod";

/*
 * A table's numbers are smaller than those of JSON, and its values nest 32 levels deep at most: what callers send as they
 * like is stored as text.
 */

/** Schema of a JSON value, no string, that is stored as text. Reads a value as it is, too. */
export const storedJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === "string" ? JSON.parse(value) : value), schema);

/** Returns a JSON value as it is stored; null and undefined stay. */
export const toStoredJson = (value: unknown): string | null | undefined =>
  value === null || value === undefined ? value : JSON.stringify(value);
