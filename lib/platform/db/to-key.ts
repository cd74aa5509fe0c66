import type { Key } from "./keys.ts";

/** Returns the table's key of an item or a position. */
export const toKey = (item: Record<string, unknown> | undefined): Key | undefined =>
  item && typeof item.pk === "string" && typeof item.sk === "string"
    ? { pk: item.pk, sk: item.sk }
    : undefined;
