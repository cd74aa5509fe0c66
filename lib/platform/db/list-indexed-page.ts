import type * as z from "zod";
import type { Page, PageRequest } from "../http/paging.ts";
import type { Database } from "./database.ts";
import { getItems } from "./get-items.ts";
import type { Key } from "./keys.ts";
import { queryIndex } from "./list-page.ts";
import type { ListRequest } from "./list-request.ts";
import { toKey } from "./to-key.ts";

/**
 * Returns one page of a list with items in partitions of their own: reads their keys from the
 * listing index, and then the items. Both reads are eventually consistent.
 */
export const listIndexedPage = async <Item extends z.ZodType>(
  db: Database,
  schema: Item,
  request: ListRequest,
  page: PageRequest,
): Promise<Page<z.output<Item>>> => {
  const start = page.skip === 0 ? undefined : await skipEntries(db, request, page.skip);
  if (start === "beyond") return { items: [], nextPageToken: null };
  const keys = await Array.fromAsync(keysFrom(db, request, page.size + 1, start));
  const found = await getItems(db, keys.slice(0, page.size), schema, { isConsistent: false });
  return {
    items: found.filter((item) => item !== undefined),
    nextPageToken: keys.length > page.size ? String(page.skip + page.size) : null,
  };
};

/** Entries of one query; more would rarely fit in one. */
const maxPerQuery = 1_000;

type IndexPosition = Record<string, unknown>;

/** Returns the position after the first `skip` entries. */
const skipEntries = async (
  db: Database,
  request: ListRequest,
  skip: number,
): Promise<IndexPosition | "beyond"> => {
  let left = skip;
  let after: IndexPosition | undefined;
  do {
    const result = await queryIndex(db, request, { Select: "COUNT", Limit: left }, after);
    left -= result.Count ?? 0;
    after = result.LastEvaluatedKey;
    if (left === 0) return after ?? "beyond";
  } while (after);
  return "beyond";
};

/** Yields the keys of at most `most` entries. */
async function* keysFrom(
  db: Database,
  request: ListRequest,
  most: number,
  start: IndexPosition | undefined,
): AsyncGenerator<Key> {
  let left = most;
  let after = start;
  do {
    const result = await queryIndex(db, request, { Limit: Math.min(left, maxPerQuery) }, after);
    for (const entry of result.Items ?? []) {
      const key = toKey(entry);
      if (key) yield key;
      left -= 1;
    }
    after = result.LastEvaluatedKey;
  } while (after && left > 0);
}

/** Yields the keys of all entries of a list in the listing index. */
export const listIndexedKeys = (db: Database, request: ListRequest): AsyncGenerator<Key> =>
  keysFrom(db, request, Number.MAX_SAFE_INTEGER, undefined);
