import * as z from "zod";

/** Schema of a member that is `fallback` when absent or null. */
export const nullAs = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.core.util.NoUndefined<z.output<Schema>>,
) => z.preprocess((value) => value ?? fallback, schema).default(fallback);

/** Schema of an optional text, null by default. */
export const optionalText = z.string().nullable().default(null);

/** Schema of an optional integer, null by default. */
export const optionalWhole = z.int().nullable().default(null);

/** Schema of an optional flag, false by default. */
export const optionalFlag = nullAs(z.boolean(), false);
