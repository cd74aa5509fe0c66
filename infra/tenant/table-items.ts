import { setTimeout as sleep } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import type { Item } from "./classify.ts";
import type { Installation } from "./installation.ts";
import type { Pace } from "./pace.ts";

type Table = Pick<Installation, "dynamodb" | "table">;

/** A position of a scan: the key that was read last. */
export type Position = { pk: string; sk: string };

const toPosition = (key: Item | undefined): Position | undefined => {
  const [pk, sk] = [key?.pk?.S, key?.sk?.S];
  return pk === undefined || sk === undefined ? undefined : { pk, sk };
};

/** A part of a scan of the whole table, from a position on. */
export type ScanPart = {
  segment: number;
  segments: number;
  after: Position | undefined;
  isConsistent: boolean;
};

/** Reads all items of a segment of the table, in pages of at most 1 MB, with the position behind every page. */
export async function* scanTable(
  { dynamodb, table }: Table,
  { segment, segments, after, isConsistent }: ScanPart,
  pace: Pace,
): AsyncGenerator<{ items: Item[]; next: Position | undefined }> {
  let position = after;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: table,
        Segment: segment,
        TotalSegments: segments,
        ConsistentRead: isConsistent,
        ReturnConsumedCapacity: "TOTAL",
        ExclusiveStartKey: position && toKey(position),
      }),
    );
    position = toPosition(page.LastEvaluatedKey);
    yield { items: page.Items ?? [], next: position };
    await pace(page.ConsumedCapacity?.CapacityUnits ?? 0);
  } while (position !== undefined);
}

const toKey = ({ pk, sk }: Position): Item => ({ pk: { S: pk }, sk: { S: sk } });

/** Reads the items of a partition with a prefix of the sort key. */
export async function* queryItems(
  { dynamodb, table }: Table,
  pk: string,
  prefix: string,
): AsyncGenerator<Item> {
  let after: Item | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `pk = :pk${prefix === "" ? "" : " AND begins_with(sk, :sk)"}`,
        ExpressionAttributeValues: {
          ":pk": { S: pk },
          ...(prefix !== "" && { ":sk": { S: prefix } }),
        },
        ConsistentRead: true,
        ExclusiveStartKey: after,
      }),
    );
    yield* page.Items ?? [];
    after = page.LastEvaluatedKey;
  } while (after);
}

const batchSize = 25;
const pauseMs = 200;

const write = async (
  { dynamodb, table }: Table,
  all: readonly WriteRequest[],
  pace: Pace,
): Promise<void> => {
  for (let start = 0; start < all.length; start += batchSize) {
    let requests = all.slice(start, start + batchSize);
    while (requests.length > 0) {
      const { UnprocessedItems, ConsumedCapacity } = await dynamodb.send(
        new BatchWriteItemCommand({
          RequestItems: { [table]: requests },
          ReturnConsumedCapacity: "TOTAL",
        }),
      );
      requests = UnprocessedItems?.[table] ?? [];
      await pace(ConsumedCapacity?.[0]?.CapacityUnits ?? 0);
      if (requests.length > 0) await sleep(pauseMs);
    }
  }
};

/** Writes items. Replaces items with the same keys. */
export const putItems = (table: Table, items: readonly Item[], pace: Pace): Promise<void> =>
  write(
    table,
    items.map((item) => ({ PutRequest: { Item: item } })),
    pace,
  );

/** Deletes items. */
export const deleteItems = (table: Table, items: readonly Item[], pace: Pace): Promise<void> =>
  write(
    table,
    items.flatMap(({ pk, sk }) => (pk && sk ? [{ DeleteRequest: { Key: { pk, sk } } }] : [])),
    pace,
  );

/** Writes an item unless there is one with its key; returns whether it was written. */
export const putNewItem = async ({ dynamodb, table }: Table, item: Item): Promise<boolean> => {
  try {
    const ConditionExpression = "attribute_not_exists(pk)";
    await dynamodb.send(new PutItemCommand({ TableName: table, Item: item, ConditionExpression }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** Writes items in one transaction, unless there is one with a key of theirs; returns whether they were written. */
export const putNewTogether = async (
  { dynamodb, table }: Table,
  items: readonly Item[],
): Promise<boolean> => {
  try {
    await dynamodb.send(
      new TransactWriteItemsCommand({
        TransactItems: items.map((item) => ({
          Put: {
            TableName: table,
            Item: item,
            ConditionExpression: "attribute_not_exists(pk)",
          },
        })),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceledException) return false;
    throw error;
  }
};
