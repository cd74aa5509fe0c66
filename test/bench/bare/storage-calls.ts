import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { packJson } from "../../harness/pack-json.ts";

/*
 * The storage calls of the product's own functions, of the same kind and size, and nothing around them:
 * what a hand-written function would do at the least.
 */

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.TABLE_NAME ?? "";
const Key = { pk: "RATE#bare", sk: "RATE" };

/** As authentication does: one item counted up, and returned whole. */
export const updateItem = async (): Promise<unknown> => {
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression:
        "SET lastUsedAt = :now, #name = :name, #scopes = :scopes ADD rateCount :one",
      ConditionExpression: "attribute_not_exists(rateWindow) OR rateWindow = :window",
      ExpressionAttributeNames: { "#name": "name", "#scopes": "scopes" },
      ExpressionAttributeValues: {
        ":now": Date.now(),
        ":name": "bare",
        ":scopes": ["agents:read", "agents:write", "agents:execute"],
        ":one": 1,
        ":window": 0,
      },
      ReturnValues: "ALL_NEW",
    }),
  );
  return Attributes;
};

/** One item, strongly consistent. */
export const getItem = async (): Promise<unknown> =>
  (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

/** Calls once and keeps the result, as a function does with values that never change. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
};

/** The tenant, read by a cold function. */
export const getTenant = once(getItem);
/** The revision, read by a cold function. */
export const getRevision = once(getItem);

const recordKey = (id: string) => ({ pk: "BARE#AGENT", sk: `EXEC#${id}` });

/** As the start of an execution: the record with its input and lease. */
export const writeStart = async (id: string): Promise<void> => {
  const now = Date.now();
  const key = recordKey(id);
  const Item = {
    ...key,
    gsi1pk: `OPEN#${id.slice(-1)}`,
    gsi1sk: key.sk,
    gsi2pk: `BARE#EXECUTIONS#${Number.parseInt(id.slice(-1), 16) % 8}`,
    agentRevision: 1,
    trigger: { type: 0, id },
    status: "Running",
    owner: id,
    leaseUntil: now,
    endsBy: now,
    claims: 1,
    input: packJson({ input: { name: "Ada" } }),
  };
  const ConditionExpression = "attribute_not_exists(pk)";
  await client.send(new PutCommand({ TableName, Item, ConditionExpression }));
};

/** Compressed output and trace of three steps. */
const result = { deflate: new Uint8Array(130) };
const removed = ["owner", "leaseUntil", "endsBy", "claims", "gsi1pk", "gsi1sk"];

/** As the counter of an agent's day: eight shards in four partitions. */
const usageKey = (id: string) => {
  const shard = Number.parseInt(id.slice(-2), 16) % 8;
  return { pk: `BARE#USAGE#2026-11#${shard % 4}`, sk: `bare#22#0000000001#0#${shard}` };
};

/** As the end of an execution: the record and a usage counter in one transaction. */
export const writeEnd = async (id: string): Promise<void> => {
  const names = ["status", ...removed];
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName,
            Key: recordKey(id),
            UpdateExpression: `SET #status = :status, endTime = :now, #result = :result REMOVE ${removed.map((name) => `#${name}`).join(", ")}`,
            ConditionExpression: "#status = :running AND #owner = :owner",
            ExpressionAttributeNames: {
              ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
              "#result": "result",
            },
            ExpressionAttributeValues: {
              ":status": "Succeeded",
              ":now": Date.now(),
              ":result": result,
              ":running": "Running",
              ":owner": id,
            },
          },
        },
        {
          Update: {
            TableName,
            Key: usageKey(id),
            UpdateExpression: "SET d = :d ADD #0 :0",
            ExpressionAttributeNames: { "#0": "n" },
            ExpressionAttributeValues: { ":d": 22, ":0": 1 },
          },
        },
      ],
    }),
  );
};
