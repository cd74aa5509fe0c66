import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { trimClient } from "./aws-client.ts";
import { requestHandler } from "./aws-handler.ts";
import { awsRetries } from "./aws-retry.ts";

type Respond = (response: ServerResponse, incoming: IncomingMessage) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

/** Starts a server that responds to the first calls in these ways, and to all later ones in the last. */
const startService = async (...ways: readonly [Respond, ...Respond[]]) => {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<unknown>();
  const server = createServer((incoming, response) => {
    const respond = ways[requests.length] ?? ways.at(-1);
    requests.push(incoming);
    incoming.resume().on("end", () => respond?.(response, incoming));
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const config = {
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    region: "eu-west-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    retryStrategy: awsRetries(),
    requestHandler: requestHandler(1_000),
  };
  const client = trimClient(new DynamoDBClient(config));
  closing.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const get = (abortSignal?: AbortSignal) =>
    client.send(
      new GetItemCommand({ TableName: "table", Key: { pk: { S: "a" } } }),
      abortSignal ? { abortSignal } : {},
    );
  return { get, requests, sockets, config };
};

const Item = { pk: { S: "é€😀".repeat(100_000) }, bytes: { B: new Uint8Array([1, 2, 255]) } };
const found: Respond = (response) => response.end('{"Item":{"pk":{"S":"a"}}}');

describe("a call to an AWS service", () => {
  const faults: readonly [string, Respond][] = [
    [
      "is throttled",
      (response) => {
        response.statusCode = 400;
        response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}');
      },
    ],
    [
      "meets an internal error",
      (response) => {
        response.statusCode = 500;
        response.end('{"__type":"InternalServerError"}');
      },
    ],
    ["meets a 502 without JSON", (response) => response.writeHead(502).end("<html>")],
    ["loses its connection", (_, incoming) => incoming.socket.destroy()],
    [
      "loses its connection within the response",
      (response, incoming) => {
        response.writeHead(200, { "content-length": 100 });
        response.write('{"Item":', () => incoming.socket.destroy());
      },
    ],
    ["has no response in time", () => undefined],
    [
      "has half a response in time",
      (response) => {
        response.writeHead(200, { "content-length": 100 });
        response.write('{"Item":');
      },
    ],
  ];
  test.each(faults)("that %s is made again", { tags: "nightly" }, async (_, fault) => {
    const { get, requests } = await startService(fault, found);
    expect((await get()).Item).toEqual({ pk: { S: "a" } });
    expect(requests.length).toBe(2);
  });

  test("that is refused is not made again, and throws the SDK's error", async () => {
    const { get, requests } = await startService((response) => {
      response.writeHead(400, { "x-amzn-requestid": "id" });
      response.end('{"__type":"x#ResourceNotFoundException","message":"no table"}');
    });
    await expect(get()).rejects.toMatchObject({
      name: "ResourceNotFoundException",
      message: "no table",
      $metadata: { httpStatusCode: 400, requestId: "id" },
    });
    expect(requests.length).toBe(1);
  });

  const refuseAnHourLater =
    (name: string): Respond =>
    (response) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      response.writeHead(400, { date });
      response.end(JSON.stringify({ __type: `x#${name}`, message: name }));
    };

  test.each([
    "ConditionalCheckFailedException",
    "ResourceNotFoundException",
    "ValidationException",
  ])(
    "that fails with %s is not made again while the clock differs from the service's",
    async (name) => {
      const { get, requests } = await startService(refuseAnHourLater(name));
      await expect(get()).rejects.toMatchObject({ name });
      await expect(get()).rejects.toMatchObject({ name });
      expect(requests.length).toBe(2);
    },
  );

  test("that is refused for the time of its signature is made again with the service's time", async () => {
    const { get, requests } = await startService(
      refuseAnHourLater("InvalidSignatureException"),
      found,
    );
    expect((await get()).Item).toEqual({ pk: { S: "a" } });
    const [first, second] = requests.map(({ headers }) => String(headers["x-amz-date"]));
    const minutes = (date = "") => Number(date.slice(9, 11)) * 60 + Number(date.slice(11, 13));
    const later = (minutes(second) - minutes(first) + 1_440) % 1_440;
    expect(later).toBeGreaterThanOrEqual(59);
    expect(later).toBeLessThanOrEqual(61);
  });

  test("reads a large response in pieces that divide characters", async () => {
    const { get } = await startService((response) => {
      const bytes = Buffer.from(
        JSON.stringify({
          Item: { pk: Item.pk, bytes: { B: Buffer.from([1, 2, 255]).toString("base64") } },
        }),
      );
      for (let at = 0; at < bytes.length; at += 9_999)
        response.write(bytes.subarray(at, at + 9_999));
      response.end();
    });
    expect((await get()).Item).toEqual(Item);
  });

  test("uses the connection of the one before", async () => {
    const { get, sockets } = await startService(found);
    for (let call = 0; call < 5; call += 1) await get();
    expect(sockets.size).toBe(1);
  });

  test("ends when its caller aborts it", async () => {
    const abort = new AbortController();
    const { get } = await startService(() => abort.abort());
    await expect(get(abort.signal)).rejects.toMatchObject({ name: "AbortError" });
  });

  test("carries the trace of the invocation", async () => {
    vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "function");
    vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793");
    const { get, requests } = await startService(found);
    await get();
    expect(requests[0]?.headers["x-amzn-trace-id"]).toBe(
      "Root=1-5759e988-bd862e3fe1be46a994272793",
    );
  });

  test("to a queue is made again after a lost connection", async () => {
    const { requests, config } = await startService(
      (_, incoming) => incoming.socket.destroy(),
      (response) =>
        response.end('{"MessageId":"id","MD5OfMessageBody":"5d41402abc4b2a76b9719d911017c592"}'),
    );
    const client = trimClient(new SQSClient(config));
    const message = { QueueUrl: `${config.endpoint}/1/queue`, MessageBody: "hello" };
    expect((await client.send(new SendMessageCommand(message))).MessageId).toBe("id");
    expect(requests.length).toBe(2);
  });
});
