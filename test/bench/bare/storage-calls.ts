import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";

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

const tokens = { inputTokens: 3, outputTokens: 3, cachedTokens: 0 };
const cost = { inputCost: 0, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: 0 };

/** As the start of an execution: a record and its input in one transaction. */
export const writeStart = async (id: string): Promise<void> => {
  const now = Date.now();
  const key = { pk: "BARE#AGENT", sk: `EXEC#${id}` };
  const record = {
    ...key,
    gsi1pk: key.pk,
    gsi1sk: key.sk,
    id,
    agentId: "hello",
    agentRevision: 1,
    startTime: now,
    endTime: null,
    ...tokens,
    hasResult: false,
    hasTrace: false,
    isSample: false,
    trigger: { type: 0, id, provider: null },
    destinations: [],
    environmentSlug: "production",
    createdAt: now,
    tenantId: id,
    ...cost,
    status: "Running",
  };
  const input = {
    pk: `BARE#EXEC#${id}`,
    sk: "INPUT",
    input: { json: '{"name":"Ada"}' },
    metadata: {},
  };
  await client.send(
    new TransactWriteCommand({
      TransactItems: [record, input].map((Item) => ({
        Put: { TableName, Item, ConditionExpression: "attribute_not_exists(pk)" },
      })),
    }),
  );
};

/** As the end of an execution: record, output and three counters in one transaction. */
export const writeEnd = async (id: string): Promise<void> => {
  const end = { status: "Succeeded", endTime: Date.now(), hasResult: true, ...tokens, ...cost };
  const names = Object.keys(end);
  const counts = Object.entries({ executionCount: 1, ...tokens, ...cost });
  const counters = ["USAGE#1", "USAGE#1#echo", "SPEND#2026-11"].map((counter) => ({
    Update: {
      TableName,
      Key: { pk: "BARE#AGENT", sk: `${counter}#${id.slice(-1)}` },
      UpdateExpression: `ADD ${counts.map(([name]) => `${name} :${name}`).join(", ")}`,
      ExpressionAttributeValues: Object.fromEntries(
        counts.map(([name, value]) => [`:${name}`, value]),
      ),
    },
  }));
  const output = {
    pk: `BARE#EXEC#${id}`,
    sk: "OUTPUT",
    output: { json: '{"message":"Hello, Ada!"}' },
    error: null,
  };
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName,
            Key: { pk: "BARE#AGENT", sk: `EXEC#${id}` },
            UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
            ConditionExpression: "#status = :running",
            ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
            ExpressionAttributeValues: {
              ...Object.fromEntries(
                Object.entries(end).map(([name, value]) => [`:${name}`, value]),
              ),
              ":running": "Running",
            },
          },
        },
        { Put: { TableName, Item: output } },
        ...counters,
      ],
    }),
  );
};
