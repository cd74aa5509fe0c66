import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Consumer, consumer } from "./consumer.ts";
import { mostAttempts } from "./queues.ts";

const Change = z.object({ ReceiptHandle: z.string(), VisibilityTimeout: z.int() });
const asked: z.output<typeof Change>[] = [];
const server = createServer(async (request, response) => {
  asked.push(Change.parse(JSON.parse(await text(request))));
  response.end("{}");
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const url = `http://127.0.0.1:${address.port}`;
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", url);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubEnv("QUEUE_URL_CHATS", `${url}/000000000000/chats`);
});
afterEach(() => {
  asked.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const row: Consumer<z.ZodString> = {
  operation: "answer-chat",
  queue: "chats",
  message: z.string(),
  access: {},
  timeoutSeconds: 900,
  batchSize: 10,
};
const handle = consumer(
  row,
  () => undefined,
  async (message) => {
    if (message === "bad") throw new Error("it fails");
  },
);
const record = (id: string, message: string, attempt: number) => ({
  messageId: id,
  receiptHandle: id,
  body: JSON.stringify(message),
  attributes: {
    ApproximateReceiveCount: String(attempt),
    SentTimestamp: "0",
    SenderId: "s",
    ApproximateFirstReceiveTimestamp: "0",
  },
  messageAttributes: {},
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "arn",
  awsRegion: "eu-central-1",
});
const deliver = (...Records: ReturnType<typeof record>[]) =>
  handle({ Records }, { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 });

test("a message that fails comes again alone, after pauses that grow", async () => {
  expect(await deliver(record("a", "good", 1), record("b", "bad", 1))).toEqual({
    batchItemFailures: [{ itemIdentifier: "b" }],
  });
  for (const attempt of [2, 3, 4]) await deliver(record("b", "bad", attempt));
  expect(asked.map((each) => Object.values(each))).toEqual([10, 40, 160, 640].map((s) => ["b", s]));
});

test("a message that failed for the last time makes room at once for those that wait behind it", async () => {
  const { batchItemFailures } = await deliver(record("b", "bad", mostAttempts));
  expect(batchItemFailures).toHaveLength(1);
  expect(asked).toEqual([{ ReceiptHandle: "b", VisibilityTimeout: 0 }]);
});
