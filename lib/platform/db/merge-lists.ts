import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import type { Key, ListKey } from "./keys.ts";
import { keyCondition, type ListRequest } from "./list-request.ts";
import { tableAttributes as names } from "./table.ts";
import { toKey } from "./to-key.ts";

type Item = Record<string, unknown>;

/** A partition's items that were read and not yet returned, and where its next query starts. */
type Source = {
  list: ListKey;
  items: Item[];
  next: number;
  after: Item | undefined;
  isRead: boolean;
};

/** Part of an item to read: all of it, its sort key, or its keys in the index of records. */
type Content = "item" | "sort key" | "index entry";

/** Options of merging. `after`: the sort key behind which to start; `limit`: items that are probably needed. */
type Reading = { after?: string | undefined; limit: number; content: Content };

/**
 * Yields the items of a list in several partitions in the order of their sort keys, from the position behind the first
 * `skip`: strongly consistent; the skipped ones are read without their content, eventually consistent. A sort key is the
 * position in all partitions. Reads about `limit` items in one round trip of a query per partition.
 */
export async function* mergeFrom(
  db: Database,
  request: ListRequest,
  skip: number,
  limit: number,
): AsyncGenerator<Item> {
  let after: string | undefined;
  if (skip > 0) {
    let left = skip;
    for await (const { sk } of merge(db, request, { limit: skip, content: "sort key" })) {
      after = String(sk);
      left -= 1;
      if (left === 0) break;
    }
    if (left > 0) return;
  }
  yield* merge(db, request, { after, limit, content: "item" });
}

/**
 * Yields the keys of a list in several partitions of the index of records in the order of their sort keys, from the
 * position behind the first `skip`: eventually consistent. Reads about `skip` and `limit` keys in one round trip of a query
 * per partition.
 */
export async function* mergeIndexedKeys(
  db: Database,
  request: ListRequest,
  skip: number,
  limit: number,
): AsyncGenerator<Key> {
  let left = skip;
  for await (const entry of merge(db, request, { limit: skip + limit, content: "index entry" })) {
    left -= 1;
    const key = toKey(entry);
    if (left < 0 && key) yield key;
  }
}

async function* merge(db: Database, request: ListRequest, reading: Reading): AsyncGenerator<Item> {
  const sources = [request.list, ...(request.others ?? [])].map(
    (list): Source => ({
      list,
      items: [],
      next: 0,
      after: reading.after === undefined ? undefined : { pk: list.pk, sk: reading.after },
      isRead: false,
    }),
  );
  const limit = computeReadLimit(reading, sources.length);
  const isBefore = (one: string, other: string) =>
    request.newestFirst ? one > other : one < other;
  for (;;) {
    const empty = sources.filter(({ items, next, isRead }) => next === items.length && !isRead);
    await Promise.all(empty.map((source) => fill(db, request, source, { ...reading, limit })));
    let first: Source | undefined;
    for (const source of sources) {
      const item = peekNext(source);
      const best = first && peekNext(first);
      if (item && (!best || isBefore(String(item.sk), String(best.sk)))) first = source;
    }
    const item = first && peekNext(first);
    if (!first || !item) return;
    first.next += 1;
    yield item;
  }
}

const peekNext = ({ items, next }: Source): Item | undefined => items[next];

/** Returns how many items to read of each partition, so that few have to be asked twice; of small entries, hardly any. */
const computeReadLimit = ({ limit, content }: Reading, partitions: number): number => {
  const share = limit / partitions;
  return Math.ceil(share + (content === "index entry" ? 4 : 2) * Math.sqrt(share));
};

/** Reads the next items of a partition, until there are some or it has no more. */
const fill = async (
  db: Database,
  request: ListRequest,
  source: Source,
  { limit, content }: Reading,
): Promise<void> => {
  const isIndexed = content === "index entry";
  const pk = isIndexed ? names.recordsIndexPartitionKey : "pk";
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...(isIndexed && { IndexName: names.recordsIndex }),
        ...keyCondition({ ...request, list: source.list }, { pk, sk: "sk" }),
        ...(content === "sort key" && { ProjectionExpression: "sk" }),
        ConsistentRead: content === "item",
        Limit: limit,
        ExclusiveStartKey: source.after,
      }),
    );
    source.items = result.Items ?? [];
    source.next = 0;
    source.after = result.LastEvaluatedKey;
    source.isRead = source.after === undefined;
  } while (source.items.length === 0 && !source.isRead);
};
