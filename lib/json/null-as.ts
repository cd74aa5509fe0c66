import * as z from "zod";

/** A member that may be left out or null, and then has `fallback` for its value. */
export const nullAs = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.core.util.NoUndefined<z.output<Schema>>,
) => z.preprocess((value) => value ?? fallback, schema).default(fallback);

/** A text that may be left out: null then. */
export const optionalText = z.string().nullable().default(null);

/** A whole number that may be left out: null then. */
export const optionalWhole = z.int().nullable().default(null);

/** A flag that may be left out: false then. */
export const optionalFlag = nullAs(z.boolean(), false);
