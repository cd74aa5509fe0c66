import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import type { ListKey } from "./keys.ts";
import { keyCondition, type ListRequest } from "./list-request.ts";

type Item = Record<string, unknown>;

/** A partition's items that were read and not yet returned, and where its next query starts. */
type Source = {
  list: ListKey;
  items: Item[];
  next: number;
  after: Item | undefined;
  isRead: boolean;
};

/** Options of merging. `after`: the sort key behind which to start; `limit`: items that are probably needed. */
type Reading = { after: string | undefined; limit: number; keysOnly: boolean };

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
    for await (const { sk } of merge(db, request, { after, limit: skip, keysOnly: true })) {
      after = String(sk);
      left -= 1;
      if (left === 0) break;
    }
    if (left > 0) return;
  }
  yield* merge(db, request, { after, limit, keysOnly: false });
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
  const limit = computeReadLimit(reading.limit, sources.length);
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

/** Returns how many items to read of each partition, so that few have to be asked twice. */
const computeReadLimit = (limit: number, partitions: number): number => {
  const share = limit / partitions;
  return Math.ceil(share + 2 * Math.sqrt(share));
};

/** Reads the next items of a partition, until there are some or it has no more. */
const fill = async (
  db: Database,
  request: ListRequest,
  source: Source,
  { limit, keysOnly }: Reading,
): Promise<void> => {
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...keyCondition({ ...request, list: source.list }, { pk: "pk", sk: "sk" }),
        ...(keysOnly && { ProjectionExpression: "sk" }),
        ConsistentRead: !keysOnly,
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
