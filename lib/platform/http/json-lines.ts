import type * as z from "zod";

/** Media type of a body that has a JSON value on each line. */
export const jsonLinesType = "application/jsonl";

const withLines = new WeakSet<z.core.$ZodType>();

/** Marks a body with a list `items`: a request may send the items as lines of JSON instead. */
export const acceptLines = <Schema extends z.ZodObject<{ items: z.ZodArray }>>(
  schema: Schema,
): Schema => {
  withLines.add(schema);
  return schema;
};

/** Returns whether the items of a body may be sent as lines of JSON. */
export const acceptsLines = (schema: z.core.$ZodType): boolean => withLines.has(schema);
