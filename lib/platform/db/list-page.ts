import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import type { Page, PageRequest } from "../http/paging.ts";
import type { Database } from "./database.ts";
import type { Key, ListKey } from "./keys.ts";
import { tableAttributes as names } from "./table.ts";

/** Which list, in which order, and optionally between which sort keys (both inclusive). */
export type ListRequest = {
  list: ListKey;
  newestFirst?: boolean;
  between?: { from: string; to: string };
};

/**
 * One page of a list. What is skipped is read from the listing index, which holds keys only, so a deep
 * skip never reads a whole item; the page itself is read from the table, strongly consistent.
 */
export const listPage = async <Item extends z.ZodType>(
  db: Database,
  schema: Item,
  request: ListRequest,
  page: PageRequest,
): Promise<Page<z.output<Item>>> => {
  const start = page.skip === 0 ? "beginning" : await keyBeforePage(db, request, page.skip);
  if (start === "beyond") return { items: [], nextPageToken: null };
  const items: z.output<Item>[] = [];
  let after = start === "beginning" ? undefined : start;
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...keyCondition(request, { pk: "pk", sk: "sk" }),
        ConsistentRead: true,
        Limit: page.size + 1 - items.length,
        ExclusiveStartKey: after,
      }),
    );
    items.push(...(result.Items ?? []).map((item) => schema.parse(item)));
    after = toKey(result.LastEvaluatedKey);
  } while (after && items.length <= page.size);
  const more = items.length > page.size;
  return {
    items: items.slice(0, page.size),
    nextPageToken: more ? String(page.skip + page.size) : null,
  };
};

/** Counts keys in the listing index without having them sent; where the count ends, the page begins. */
const keyBeforePage = async (
  db: Database,
  request: ListRequest,
  skip: number,
): Promise<Key | "beyond"> => {
  let left = skip;
  let after: Record<string, unknown> | undefined;
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        IndexName: names.index,
        ...keyCondition(request, { pk: names.indexPartitionKey, sk: names.indexSortKey }),
        Select: "COUNT",
        Limit: left,
        ExclusiveStartKey: after,
      }),
    );
    left -= result.Count ?? 0;
    after = result.LastEvaluatedKey;
    if (left === 0) return toKey(after) ?? "beyond";
  } while (after);
  return "beyond";
};

const keyCondition = (
  { list, between, newestFirst }: ListRequest,
  attribute: Key,
): Pick<
  QueryCommandInput,
  | "KeyConditionExpression"
  | "ExpressionAttributeNames"
  | "ExpressionAttributeValues"
  | "ScanIndexForward"
> => {
  const range = between
    ? { ":from": between.from, ":to": between.to }
    : list.prefix !== ""
      ? { ":prefix": list.prefix }
      : {};
  const condition = between
    ? " AND #sk BETWEEN :from AND :to"
    : list.prefix !== ""
      ? " AND begins_with(#sk, :prefix)"
      : "";
  return {
    KeyConditionExpression: `#pk = :pk${condition}`,
    ExpressionAttributeNames: {
      "#pk": attribute.pk,
      ...(condition !== "" && { "#sk": attribute.sk }),
    },
    ExpressionAttributeValues: { ":pk": list.pk, ...range },
    ScanIndexForward: !newestFirst,
  };
};

const toKey = (item: Record<string, unknown> | undefined): Key | undefined =>
  item && typeof item.pk === "string" && typeof item.sk === "string"
    ? { pk: item.pk, sk: item.sk }
    : undefined;

/** Every item of a list, page by page, in key order. */
export async function* listAll<Item extends z.ZodType>(
  db: Database,
  schema: Item,
  list: ListKey,
): AsyncGenerator<z.output<Item>> {
  let after: Record<string, unknown> | undefined;
  do {
    const result = await db.client.send(
      new QueryCommand({
        TableName: db.table,
        ...keyCondition({ list }, { pk: "pk", sk: "sk" }),
        ConsistentRead: true,
        ExclusiveStartKey: after,
      }),
    );
    for (const item of result.Items ?? []) yield schema.parse(item);
    after = result.LastEvaluatedKey;
  } while (after);
}
