import * as z from "zod";
import { tableAttributes } from "../../lib/platform/db/table.ts";
import type { CountedCall } from "./counting-proxy.ts";
import { insertedItems } from "./insertions.ts";

const Text = z.object({ S: z.string() });
const Item = z.record(z.string(), z.unknown());
const Action = z.object({
  Key: Item.optional(),
  Item: Item.optional(),
  UpdateExpression: z.string().default(""),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: Item.default({}),
});
type Action = z.output<typeof Action>;
const Body = Action.extend({
  TransactItems: z.array(z.record(z.string(), Action)).optional(),
  RequestItems: z
    .record(
      z.string(),
      z.array(
        z.object({
          PutRequest: z.object({ Item }).optional(),
          DeleteRequest: z.object({ Key: Item }).optional(),
        }),
      ),
    )
    .optional(),
});
const Units = z.object({ CapacityUnits: z.number() });
const Consumed = z.object({
  Table: Units.optional(),
  GlobalSecondaryIndexes: z.record(z.string(), Units).optional(),
});
const ResponseBody = z.object({
  ConsumedCapacity: z.union([Consumed.transform((one) => [one]), z.array(Consumed)]).default([]),
});

/** Write units by kind of partition. */
export type PartitionUnits = Map<string, number>;

/**
 * Adds up the write units of calls by partition key of table and index, ids replaced with `…` unless named otherwise. The units of a
 * transaction are those of its new items by their size; what is left is split evenly among its other actions.
 */
export const unitsByPartition = (
  calls: readonly CountedCall[],
  toName: (partition: string) => string = normalizePartition,
): PartitionUnits => {
  const units: PartitionUnits = new Map();
  const indexed = new Map<string, string>();
  const add = (partition: string, count: number): void => {
    if (count > 0) units.set(partition, (units.get(partition) ?? 0) + count);
  };
  for (const call of calls) {
    if (call.service !== "dynamodb" || call.writeUnits === 0) continue;
    const actions = parseActions(call);
    const consumed = consumedBy(call);
    const isDouble = call.operation === "TransactWriteItems";
    const sized = actions.filter(({ Item: item }) => item !== undefined && actions.length > 1);
    const known = new Map(
      sized.map((action) => [action, sizeUnits(action.Item ?? {}) * (isDouble ? 2 : 1)]),
    );
    const rest =
      (consumed.table - sum([...known.values()])) / Math.max(1, actions.length - known.size);
    for (const action of actions) add(toName(readPartition(action)), known.get(action) ?? rest);
    const entries = actions.flatMap((action) => listIndexPartitions(action, indexed));
    for (const entry of entries) add(`index ${toName(entry)}`, consumed.index / entries.length);
  }
  return units;
};

const parseActions = ({ operation, body: raw }: CountedCall): Action[] => {
  const request: unknown = JSON.parse(raw.toString("utf8"));
  if (operation === "BatchExecuteStatement") {
    return insertedItems(request).map((item) => Action.parse({ Item: item }));
  }
  const body = Body.parse(request);
  if (body.TransactItems) return body.TransactItems.flatMap((item) => Object.values(item));
  if (body.RequestItems) {
    return Object.values(body.RequestItems)
      .flat()
      .map(({ PutRequest, DeleteRequest }) =>
        Action.parse({ Item: PutRequest?.Item, Key: DeleteRequest?.Key }),
      );
  }
  return [body];
};

const consumedBy = ({ response, writeUnits }: CountedCall): { table: number; index: number } => {
  const { ConsumedCapacity } = ResponseBody.parse(JSON.parse(response.toString("utf8")));
  if (ConsumedCapacity.length === 0) return { table: writeUnits, index: 0 };
  return {
    table: sum(ConsumedCapacity.map(({ Table }) => Table?.CapacityUnits ?? 0)),
    index: sum(
      ConsumedCapacity.flatMap(({ GlobalSecondaryIndexes = {} }) =>
        Object.values(GlobalSecondaryIndexes).map(({ CapacityUnits }) => CapacityUnits),
      ),
    ),
  };
};

const readString = (value: unknown): string => Text.safeParse(value).data?.S ?? "";

const readPartition = ({ Key, Item: item }: Action): string => readString((item ?? Key)?.pk);

const bytesPerUnit = 1_024;
const sizeUnits = (item: z.output<typeof Item>): number =>
  Math.max(1, Math.ceil(sizeOfMembers(item) / bytesPerUnit));

const sizeOfMembers = (members: Record<string, unknown>): number =>
  sum(Object.entries(members).map(([name, value]) => Buffer.byteLength(name) + sizeOfValue(value)));

const Value = z.union([
  z.object({ B: z.string() }).transform(({ B }) => Buffer.from(B, "base64").length),
  z.object({ S: z.string() }).transform(({ S }) => Buffer.byteLength(S)),
  z.object({ N: z.string() }).transform(({ N }) => Math.ceil(N.length / 2) + 1),
  z.object({ M: Item }).transform(({ M }): number => 3 + sizeOfMembers(M)),
  z.object({ L: z.array(z.unknown()) }).transform(({ L }): number => 3 + sum(L.map(sizeOfValue))),
]);

/** Returns the size of an attribute's value by DynamoDB's rules, in bytes. */
const sizeOfValue = (value: unknown): number => Value.safeParse(value).data ?? 1;

/** Returns the index partitions in which an action writes; remembers them in `indexed`. */
const listIndexPartitions = (action: Action, indexed: Map<string, string>): string[] => {
  const key = action.Item ?? action.Key ?? {};
  const id = `${readString(key.pk)} ${readString(key.sk)}`;
  const earlier = indexed.get(id);
  const next = indexPartition(action);
  // Its entry is written with the item alone.
  const record = readString(action.Item?.[tableAttributes.recordsIndexPartitionKey]);
  if (next === undefined) return [];
  indexed.set(id, next);
  return [...new Set([earlier ?? "", next, record])].filter((key) => key !== "");
};

/** Returns the index partition that an action sets, "" when it removes it, undefined when it leaves it. */
const indexPartition = (action: Action): string | undefined => {
  const name = tableAttributes.indexPartitionKey;
  if (action.Item) return readString(action.Item[name]);
  const resolveName = (used: string): string => action.ExpressionAttributeNames[used] ?? used;
  for (const [, used = "", value = ""] of action.UpdateExpression.matchAll(/([#\w]+) = (:\w+)/g)) {
    if (resolveName(used) === name) return readString(action.ExpressionAttributeValues[value]);
  }
  const [, removed = ""] = action.UpdateExpression.split("REMOVE", 2);
  return removed.split(/[\s,]+/).some((used) => resolveName(used) === name) ? "" : undefined;
};

/** Replaces ids, digests, months and shards, which differ between tenants, agents and units of work. */
const normalizePartition = (partition: string): string =>
  partition
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(/#[0-9a-f]{4}-[0-9a-f]{12}/g, "#…")
    .replaceAll(/[0-9A-Za-z_-]{32,}/g, "…")
    .replaceAll(/\d{4}-\d\d(?:-\d\d)?/g, "…")
    .replaceAll(/AGENT#[a-z]+/g, "AGENT#…")
    .replaceAll(/#[0-9a-f]{1,2}$/g, "#shard");

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
