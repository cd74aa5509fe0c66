import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { LeasedElsewhereError } from "../platform/queue/leased-elsewhere.ts";
import { maxAttempts, type QueueName } from "../platform/queue/queues.ts";
import { send } from "../platform/queue/send.ts";
import { takeSlot } from "../platform/slots/slot-store.ts";
import { type BatchCall, batchConsumer, type Consumer, consumer } from "./consumer.ts";

const Asked = z.looseObject({
  ReceiptHandle: z.string().optional(),
  VisibilityTimeout: z.int().optional(),
  QueueUrl: z.string(),
  MessageBody: z.string().optional(),
  DelaySeconds: z.int().optional(),
  MessageAttributes: z.record(z.string(), z.looseObject({ StringValue: z.string() })).optional(),
});
const asked: z.output<typeof Asked>[] = [];
const server = createServer(async (request, response) => {
  const call = Asked.parse(JSON.parse(await text(request)));
  asked.push(call);
  const MD5OfMessageBody = createHash("md5")
    .update(call.MessageBody ?? "")
    .digest("hex");
  response.end(JSON.stringify({ MD5OfMessageBody }));
});
let db: TestDatabase;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const url = `http://127.0.0.1:${address.port}`;
  db = await testDatabase();
  vi.stubEnv("AWS_ENDPOINT_URL_SQS", url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  for (const queue of ["CHATS", "CALLS"]) {
    vi.stubEnv(`QUEUE_URL_${queue}`, `${url}/000000000000/${queue}`);
    vi.stubEnv(`DEAD_LETTERS_URL_${queue}`, `${url}/000000000000/${queue}-dead`);
  }
});
afterEach(() => {
  asked.length = 0;
  handled.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const Message = z.object({ tenantId: z.string(), text: z.string() });
const row = (queue: QueueName, visibilitySeconds?: number): Consumer<typeof Message> => ({
  operation: "reply-to-chat",
  queue,
  message: Message,
  access: {},
  timeoutSeconds: 900,
  concurrencyWeight: 1,
  batchSize: 10,
  tenantConcurrency: 2,
  ...(visibilitySeconds !== undefined && { visibilitySeconds }),
});
const handled: { text: string; attempt: number }[] = [];
const leaseMs = 40_000;
const createHandler = (queue: QueueName, visibilitySeconds?: number) =>
  consumer(
    row(queue, visibilitySeconds),
    () => ({ db }),
    async ({ text }, _deps, { attempt }) => {
      handled.push({ text, attempt });
      if (text === "sends") await send("calls", "t-1", { from: text });
      if (text === "bad") throw new Error("it fails");
      if (text === "leased") throw new LeasedElsewhereError(Date.now() + leaseMs);
    },
  );
const handlers = { chats: createHandler("chats"), calls: createHandler("calls") };
const longHandlers = { chats: createHandler("chats", 60), calls: createHandler("calls", 60) };

const record = (
  id: string,
  text: string,
  received: number,
  {
    tenantId = "t-1",
    attributes = {},
    sentAt = 0,
  }: { tenantId?: string; attributes?: object; sentAt?: number } = {},
) => ({
  messageId: id,
  receiptHandle: id,
  body: JSON.stringify({ tenantId, text }),
  attributes: {
    ApproximateReceiveCount: String(received),
    SentTimestamp: String(sentAt),
    SenderId: "s",
    ApproximateFirstReceiveTimestamp: "0",
  },
  messageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      {
        stringValue: String(value),
        dataType: "String" as const,
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  ),
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "arn",
  awsRegion: "eu-central-1",
});
const deliver = (queue: keyof typeof handlers, ...Records: ReturnType<typeof record>[]) =>
  handlers[queue]({ Records }, { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 });
const failures = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});
/** Has other functions work for a tenant, as many as may. */
const fill = async (queue: QueueName, group: string) => {
  for (const slot of [0, 1]) {
    const lease = { slot, holder: `other-${slot}`, until: Date.now() + 60_000 };
    expect((await takeSlot(db, { pool: queue, group }, lease, Date.now())).isTaken).toBe(true);
  }
};

test("only the failed messages of a batch are retried, with growing pauses", async () => {
  expect(await deliver("calls", record("a", "good", 1), record("b", "bad", 1))).toEqual(
    failures("b"),
  );
  for (const attempt of [2, 3, 4]) await deliver("calls", record("b", "bad", attempt));
  expect(asked.map((request) => [request.ReceiptHandle, request.VisibilityTimeout])).toEqual(
    [10, 40, 160, 640].map((seconds) => ["b", seconds]),
  );
});

test("a message that failed for the last time is left to its queue's dead letters", async () => {
  expect(await deliver("calls", record("b", "bad", maxAttempts))).toEqual(failures("b"));
  expect(asked).toMatchObject([{ ReceiptHandle: "b", VisibilityTimeout: 1 }]);
});

test("a message of an ordered queue that failed for the last time is moved to the dead letters", async () => {
  expect(await deliver("chats", record("b", "bad", maxAttempts))).toEqual(failures());
  expect(asked).toMatchObject([
    {
      QueueUrl: expect.stringContaining("CHATS-dead"),
      MessageBody: JSON.stringify({ tenantId: "t-1", text: "bad" }),
      MessageDeduplicationId: "b",
    },
  ]);
});

test("a message is moved to the dead-letter queue after its function crashed at the last attempt", async () => {
  expect(await deliver("chats", record("b", "good", maxAttempts + 1))).toEqual(failures());
  expect(handled).toEqual([]);
  expect(asked).toMatchObject([{ QueueUrl: expect.stringContaining("CHATS-dead") }]);
});

test("a message is retried after its function crashed, with the pause of a failure, at least a minute", async () => {
  for (const attempt of [1, 2, 3, 4]) {
    await longHandlers.calls(
      { Records: [record("d", "good", attempt)] },
      { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 },
    );
  }
  expect(asked.map((request) => request.VisibilityTimeout)).toEqual([60, 60, 160, 640]);
});

test("a message waits until another function's lease of its work ends, which does not count as an attempt", {
  tags: "nightly",
}, async () => {
  for (const received of [1, 2, 3, 4, 5, 6]) {
    expect(await deliver("chats", record("e", "leased", received))).toEqual(failures("e"));
  }
  expect(new Set(handled.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  expect(asked).toHaveLength(6);
  for (const { ReceiptHandle, VisibilityTimeout } of asked) {
    expect([ReceiptHandle, VisibilityTimeout]).toEqual(["e", 41]);
  }
  asked.length = 0;
  expect(await deliver("calls", record("f", "leased", 3))).toEqual(failures());
  expect(asked).toMatchObject([
    {
      QueueUrl: expect.stringMatching(/CALLS$/),
      DelaySeconds: 41,
      MessageAttributes: { Failures: { StringValue: "2" } },
    },
  ]);
});

test("a message of a tenant at its limit is sent again with a delay, and another tenant's is handled", async () => {
  await fill("calls", "t-full");
  const full = { tenantId: "t-full", attributes: { Deferrals: 3, Failures: 1 } };
  expect(await deliver("calls", record("a", "good", 2, full), record("b", "other", 1))).toEqual(
    failures(),
  );
  expect(handled).toEqual([{ text: "other", attempt: 1 }]);
  expect(asked).toMatchObject([
    {
      QueueUrl: expect.stringMatching(/CALLS$/),
      MessageBody: JSON.stringify({ tenantId: "t-full", text: "good" }),
      MessageGroupId: "t-full",
      MessageAttributes: { Deferrals: { StringValue: "4" }, Failures: { StringValue: "2" } },
    },
  ]);
  expect(asked[0]?.DelaySeconds).toBeGreaterThanOrEqual(8);
  expect(asked[0]?.DelaySeconds).toBeLessThanOrEqual(16);
});

test("a message that is deferred twice has the age of its first sending, when it is deferred and when it starts", async () => {
  const sentAt = 1_800_000_000_000;
  let now = sentAt;
  const recorded: [string, number][] = [];
  const handler = consumer(
    row("calls"),
    () => ({ db }),
    async () => undefined,
    { clock: () => now, recordSeconds: (...metric) => recorded.push(metric) },
  );
  const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 };
  /** Delivers the last deferred message, which SQS received as a new one just before. */
  const redeliver = (tenantId: string) => {
    const attributes = Object.fromEntries(
      Object.entries(asked.at(-1)?.MessageAttributes ?? {}).map(([name, { StringValue }]) => [
        name,
        StringValue,
      ]),
    );
    return handler(
      { Records: [record(`at-${now}`, "good", 1, { tenantId, attributes, sentAt: now - 1_000 })] },
      context,
    );
  };
  await fill("calls", "t-aged");
  now = sentAt + 5_000;
  await handler({ Records: [record("a", "good", 1, { tenantId: "t-aged", sentAt })] }, context);
  now = sentAt + 60_000;
  await redeliver("t-aged");
  now = sentAt + 3_600_000;
  await redeliver("t-free");
  await handler({ Records: [record("b", "good", 1, { sentAt })] }, context);
  expect(recorded).toEqual([
    ["DeferredWorkAge", 5],
    ["DeferredWorkAge", 60],
    ["DeferredWorkAge", 3_600],
  ]);
});

test("the attempts of a message count through its deferrals, and after the last it is a dead letter", async () => {
  const earlier = (Failures: number) => ({ attributes: { Deferrals: 1, Failures } });
  await deliver("calls", record("a", "good", 1, earlier(2)));
  expect(handled).toEqual([{ text: "good", attempt: 3 }]);
  expect(await deliver("calls", record("b", "bad", 1, earlier(4)))).toEqual(failures());
  expect(asked).toMatchObject([{ QueueUrl: expect.stringContaining("CALLS-dead") }]);
});

test("a message of an ordered queue keeps its place while its tenant is at its limit, which does not count as an attempt", async () => {
  const full = { tenantId: "t-ordered" };
  await fill("chats", "t-ordered");
  for (const received of [1, 2, 3]) {
    expect(await deliver("chats", record("c", "good", received, full))).toEqual(failures("c"));
  }
  expect(handled).toEqual([]);
  expect(asked.map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(["c", "c", "c"]);
  await deliver("chats", record("c", "later", 4));
  expect(handled).toEqual([{ text: "later", attempt: 1 }]);
});

test("the id of the request that caused a message is in the messages that follow from it, also after a deferral and as a dead letter", async () => {
  const caused = { attributes: { RequestId: "request-1" } };
  await deliver("calls", record("a", "sends", 1, caused), record("b", "sends", 1));
  await fill("calls", "t-caused");
  await deliver("calls", record("c", "good", 1, { ...caused, tenantId: "t-caused" }));
  const last = { attributes: { ...caused.attributes, Failures: maxAttempts - 1 } };
  await deliver("calls", record("d", "bad", 1, last));
  const sent = asked.filter(({ MessageBody }) => MessageBody !== undefined);
  expect(sent.map(({ MessageAttributes }) => MessageAttributes?.RequestId?.StringValue)).toEqual([
    "request-1",
    undefined,
    "request-1",
    "request-1",
  ]);
});

test("a batch takes one slot for each tenant, and retries only the messages of a tenant that failed", async () => {
  const groups: { texts: string[]; tenants: number }[] = [];
  const handler = batchConsumer(
    row("calls"),
    () => ({ db }),
    (jobs, _deps, { tenants }) => {
      groups.push({ texts: jobs.map(({ message }) => message.text), tenants });
      return jobs.map(async ({ message, receipt, requestId }) => {
        if (message.text === "bad") throw new Error(`attempt ${receipt.attempt} of ${requestId}`);
      });
    },
  );
  const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 };
  const records = [
    record("a", "one", 1, { tenantId: "t-batch-1" }),
    record("b", "bad", 2, { tenantId: "t-batch-1" }),
    record("c", "two", 1, { tenantId: "t-batch-2" }),
    record("d", "three", 1, { tenantId: "t-batch-1" }),
  ];
  db.calls.length = 0;
  expect(await handler({ Records: records }, context)).toEqual(failures("b"));
  // Whichever tenant has its slot first.
  expect(groups.toSorted((one, other) => other.texts.length - one.texts.length)).toEqual([
    { texts: ["one", "bad", "three"], tenants: 2 },
    { texts: ["two"], tenants: 2 },
  ]);
  // Of two slots, one is released after its use: a call takes each tenant's, and another releases it.
  expect(db.calls).toEqual(Array(4).fill("UpdateItem"));
  expect(asked).toMatchObject([{ ReceiptHandle: "b", VisibilityTimeout: 40 }]);
});

test("tenants of a batch take turns one after another, also after a failed one", async () => {
  const order: string[] = [];
  const takeTurn = async (text: string, { inTurn }: BatchCall) =>
    inTurn(async () => {
      order.push(`${text} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${text} ends`);
      if (text === "bad") throw new Error("it fails");
    });
  const handler = batchConsumer(
    row("calls"),
    () => ({ db }),
    (jobs, _deps, call) => jobs.map(({ message }) => takeTurn(message.text, call)),
  );
  const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 900_000 };
  const texts = ["bad", "good", "better"];
  const Records = texts.map((text) => record(text, text, 1, { tenantId: `t-turn-${text}` }));
  expect(await handler({ Records }, context)).toEqual(failures("bad"));
  const turns = Array.from({ length: order.length / 2 }, (_, at) =>
    order.slice(2 * at, 2 * at + 2),
  );
  expect(turns.toSorted()).toEqual(
    texts.toSorted().map((text) => [`${text} starts`, `${text} ends`]),
  );
});
