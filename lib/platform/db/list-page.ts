import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import type { Page, PageRequest } from "../http/paging.ts";
import type { Database } from "./database.ts";
import type { Key, ListKey } from "./keys.ts";
import { keyCondition, type ListRequest } from "./list-request.ts";
import { mergeFrom } from "./merge-lists.ts";
import { tableAttributes as names } from "./table.ts";
import { toKey } from "./to-key.ts";

/**
 * Returns one page of a list, strongly consistent. Skipped items are counted in the listing index, which has only
 * keys, so that skipping does not read whole items; except for lists that are not in it.
 */
export const listPage = async <Item extends z.ZodType>(
  db: Database,
  schema: Item,
  request: ListRequest,
  page: PageRequest,
): Promise<Page<z.output<Item>>> => {
  const items: z.output<Item>[] = [];
  for await (const item of listFrom(db, schema, request, {
    skip: page.skip,
    limit: page.size + 1,
  })) {
    if (items.length === page.size) {
      return { items, nextPageToken: String(page.skip + page.size) };
    }
    items.push(item);
  }
  return { items, nextPageToken: null };
};

/** Maximum items that one page of a filtered list reads. */
export const maxReadForPage = 1_000;

/**
 * Returns one page of the items that match. Reads at most `maxReadForPage` items; the next page continues where
 * this one ended, so a page may have fewer items than its size, or none, and still have a next one.
 */
export const listMatchingPage = async <Item extends z.ZodType>(
  db: Database,
  schema: Item,
  { matches, ...request }: ListRequest & { matches: (item: z.output<Item>) => boolean },
  page: PageRequest,
): Promise<Page<z.output<Item>>> => {
  const items: z.output<Item>[] = [];
  let read = 0;
  const range = { skip: page.skip, limit: itemsPerQuery };
  for await (const item of listFrom(db, schema, request, range)) {
    if (items.length === page.size || read === maxReadForPage) {
      return { items, nextPageToken: String(page.skip + read) };
    }
    read += 1;
    if (matches(item)) items.push(item);
  }
  return { items, nextPageToken: null };
};

const itemsPerQuery = 250;

/** Yields the items of a list behind the first `skip`, `limit` in one query. */
export async function* listFrom<Item extends z.ZodType>(
  db: Database,
  schema: Item,
  request: ListRequest,
  { skip, limit }: { skip: number; limit: number },
): AsyncGenerator<z.output<Item>> {
  if (request.others?.length) {
    for await (const item of mergeFrom(db, request, skip, limit)) yield schema.parse(item);
    return;
  }
  const start = skip === 0 ? "beginning" : await keyBeforePage(db, request, skip);
  if (start === "beyond") return;
  let after = start === "beginning" ? undefined : start;
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...keyCondition(request, { pk: "pk", sk: "sk" }),
        ConsistentRead: true,
        Limit: limit,
        ExclusiveStartKey: after,
      }),
    );
    for (const item of result.Items ?? []) yield schema.parse(item);
    after = toKey(result.LastEvaluatedKey);
  } while (after);
}

/** Finds the key before a page by counting, eventually consistent. */
const keyBeforePage = async (
  db: Database,
  request: ListRequest,
  skip: number,
): Promise<Key | "beyond"> => {
  let left = skip;
  let after: Record<string, unknown> | undefined;
  do {
    const result =
      request.isIndexed === false
        ? await db.client.send(
            new QueryCommand({
              TableName: db.table,
              ...keyCondition(request, { pk: "pk", sk: "sk" }),
              Select: "COUNT",
              Limit: left,
              ExclusiveStartKey: after,
            }),
          )
        : await queryIndex(db, request, { Select: "COUNT", Limit: left }, after);
    left -= result.Count ?? 0;
    after = result.LastEvaluatedKey;
    if (left === 0) return toKey(after) ?? "beyond";
  } while (after);
  return "beyond";
};

/** Queries the listing index once, from a position on. */
export const queryIndex = (
  db: Database,
  request: ListRequest,
  options: Pick<QueryCommandInput, "Select" | "Limit">,
  after: Record<string, unknown> | undefined,
) =>
  db.client.send(
    new QueryCommand({
      TableName: db.table,
      IndexName: names.index,
      ...keyCondition(request, { pk: names.indexPartitionKey, sk: names.indexSortKey }),
      ...options,
      ExclusiveStartKey: after,
    }),
  );

/**
 * Narrows `listAll`: a range of sort keys, both ends inclusive, a filter that DynamoDB applies to what it read, and the
 * members that are returned. `limit`: items of one query, of which there are as many as are needed.
 */
export type ListOptions = {
  between?: { from: string; to: string } | undefined;
  newestFirst?: boolean;
  limit?: number;
  members?: readonly string[];
  filter?: { expression: string; names: Record<string, string>; values: Record<string, unknown> };
};

/** Yields every item of a list in key order, or the other way round, one query per page. */
export async function* listAll<Item extends z.ZodType>(
  db: Database,
  schema: Item,
  list: ListKey,
  { between, newestFirst = false, limit, filter, members }: ListOptions = {},
): AsyncGenerator<z.output<Item>> {
  const condition = keyCondition(
    { list, newestFirst, ...(between && { between }) },
    { pk: "pk", sk: "sk" },
  );
  const names = Object.fromEntries((members ?? []).map((name, at) => [`#m${at}`, name]));
  let after: Record<string, unknown> | undefined;
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...condition,
        ExpressionAttributeNames: {
          ...condition.ExpressionAttributeNames,
          ...filter?.names,
          ...names,
        },
        ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...filter?.values },
        ...(filter && { FilterExpression: filter.expression }),
        ...(members && { ProjectionExpression: Object.keys(names).join(", ") }),
        ConsistentRead: true,
        Limit: limit,
        ExclusiveStartKey: after,
      }),
    );
    for (const item of result.Items ?? []) yield schema.parse(item);
    after = result.LastEvaluatedKey;
  } while (after);
}
