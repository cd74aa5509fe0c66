import * as z from "zod";
import { failed } from "./exit.ts";

/** Parses the items of a list for a table. Throws for an item of another shape. */
export const readRows = <Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): z.output<Schema>[] => {
  const rows = z.array(schema).safeParse(items);
  if (!rows.success) {
    const place = rows.error.issues[0]?.path.join(".") ?? "";
    throw failed(
      `The API returned records that this version of wharf does not support (${place}).`,
    );
  }
  return rows.data;
};
