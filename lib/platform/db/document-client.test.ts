import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { createDocumentClient } from "./document-client.ts";

/** Values as items have them. */
const storedValue = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.uint8Array(),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.option(fc.boolean(), { nil: undefined }), {
    noNullPrototype: true,
  }),
);
type Values = { pk: string; value: unknown };

const TableName = "table";
/** Sends a command of each class that the product uses. */
const calls: readonly ((client: DynamoDBDocumentClient, values: Values) => Promise<unknown>)[] = [
  (client, { pk }) => client.send(new GetCommand({ TableName, Key: { pk } })),
  (client, item) => client.send(new PutCommand({ TableName, Item: item })),
  (client, { pk }) => client.send(new DeleteCommand({ TableName, Key: { pk } })),
  (client, { pk, value }) =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { pk },
        UpdateExpression: "SET #a = :a",
        ExpressionAttributeNames: { "#a": "a" },
        ExpressionAttributeValues: { ":a": value },
        ReturnValues: "ALL_NEW",
      }),
    ),
  (client, { pk }) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": pk },
      }),
    ),
  (client, { pk }) =>
    client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk }] } } })),
  (client, item) =>
    client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: item } }] } }),
    ),
  (client, { pk, value }) =>
    client.send(
      new BatchExecuteStatementCommand({
        Statements: [{ Statement: "INSERT", Parameters: [pk, value] }],
      }),
    ),
  (client, item) =>
    client.send(
      new TransactWriteCommand({
        ClientRequestToken: "token",
        TransactItems: [{ Put: { TableName, Item: item } }],
      }),
    ),
];

/** Responds to a call with what it was sent, as each class of commands returns items. */
const server = createServer(async (incoming, response) => {
  const sent = await text(incoming);
  const item = { target: { S: incoming.headers["x-amz-target"] }, sent: { S: sent } };
  response.setHeader("content-type", "application/x-amz-json-1.0");
  response.end(
    JSON.stringify({
      Item: item,
      Attributes: item,
      Items: [item],
      Responses: sent.includes("Statements") ? [{ Item: item }] : { [TableName]: [item] },
      UnprocessedItems: { [TableName]: [{ PutRequest: { Item: item } }] },
    }),
  );
});
const clients: { sdk: DynamoDBDocumentClient; joined: DynamoDBDocumentClient }[] = [];

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const connect = () =>
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-west-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    });
  const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };
  clients.push({
    sdk: DynamoDBDocumentClient.from(connect(), { marshallOptions }),
    joined: createDocumentClient(connect()),
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const Output = z.looseObject({ $metadata: z.unknown() });
const withoutMetadata = (output: unknown) => ({ ...Output.parse(output), $metadata: undefined });

test("simultaneous calls of all classes send and return what they do with the SDK's document client", async () => {
  const call = fc.record({
    send: fc.constantFrom(...calls),
    values: fc.record({ pk: fc.string({ minLength: 1 }), value: storedValue }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (chosen) => {
      for (const { sdk, joined } of clients) {
        const run = (client: DynamoDBDocumentClient) =>
          Promise.all(
            chosen.map(async ({ send, values }) => withoutMetadata(await send(client, values))),
          );
        expect(await run(joined)).toEqual(await run(sdk));
      }
    }),
    { numRuns: propertyRuns(500, 50) },
  );
  expect(clients).toHaveLength(1);
});

test("the middlewares of a class of commands are joined and kept in its first call alone", async () => {
  const [{ joined } = { joined: undefined }] = clients;
  const own = joined && createDocumentClient(joined);
  const keep = vi.spyOn(Map.prototype, "set");
  onTestFinished(() => keep.mockRestore());
  for (const pk of ["a", "b", "c"]) await own?.send(new GetCommand({ TableName, Key: { pk } }));
  expect(keep.mock.calls.filter(([key]) => key === GetCommand)).toHaveLength(1);
});
