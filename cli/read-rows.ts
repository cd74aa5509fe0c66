import * as z from "zod";
import { failed } from "./exit.ts";

/** Items of a list as a table needs them. Fails on an item that does not fit. */
export const readRows = <Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): z.output<Schema>[] => {
  const rows = z.array(schema).safeParse(items);
  if (!rows.success) {
    const place = rows.error.issues[0]?.path.join(".") ?? "";
    throw failed(
      `The API's records have another shape than this version of wharf knows (${place}).`,
    );
  }
  return rows.data;
};
