import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type FixtureStack, removeFolders, startFixture } from "./fixture-stack.ts";

let fixture: FixtureStack;
/** Numbers of messages of the calls of each function. */
const batchSizes = new Map<string, number[]>();
beforeAll(async () => {
  fixture = await startFixture(undefined, {
    gatherMs: 1_000,
    observe: (invoke) => (name, call) => {
      const { Records = [] } = Event.parse(JSON.parse(call.event));
      batchSizes.set(name, [...(batchSizes.get(name) ?? []), Records.length]);
      return invoke(name, call);
    },
  });
});
afterAll(removeFolders);
afterAll(() => fixture.stack.close());

const Event = z.looseObject({ Records: z.array(z.unknown()).optional() });
const Called = z.object({ status: z.number(), body: z.unknown() });
const able = async (call: object) => Called.parse(await (await fixture.post("/able", call)).json());

const Item = z.object({
  Item: z
    .object({
      received: z.object({ N: z.coerce.number() }),
      lastCount: z.object({ S: z.string() }),
      arn: z.object({ S: z.string() }),
    })
    .optional(),
});

const readWork = async (id: string) => {
  const request = { TableName: "$TABLE_NAME", Key: { pk: { S: `WORK#${id}` }, sk: { S: "WORK" } } };
  const { body } = await able({ service: "dynamodb", operation: "GetItem", request });
  return Item.parse(body).Item;
};

const inQueue = (name: string): Promise<string> => fixture.queue(name);

const send = async (id: string): Promise<void> => {
  const request = { QueueUrl: "$WORK_URL", MessageBody: JSON.stringify({ id }) };
  const { status } = await able({ service: "sqs", operation: "SendMessage", request });
  expect(status).toBe(200);
};

test("a message that arrives alone is processed immediately, and those that follow it soon are one batch", {
  tags: "nightly",
}, async () => {
  batchSizes.clear();
  await send("alone");
  await expect.poll(() => batchSizes.get("worker")).toEqual([1]);
  for (const id of ["second", "third", "fourth"]) await send(id);
  await expect.poll(() => batchSizes.get("worker"), { timeout: 5_000 }).toEqual([1, 3]);
});

test("every message is processed once; a failing one is retried and moves to the dead-letter queue", {
  tags: "nightly",
}, async () => {
  const messages = [{ id: "good-1" }, { id: "bad", fail: true }, { id: "good-2" }];
  const sent = await able({
    service: "sqs",
    operation: "SendMessageBatch",
    request: {
      QueueUrl: "$WORK_URL",
      Entries: messages.map((message) => ({
        Id: message.id,
        MessageBody: JSON.stringify(message),
      })),
    },
  });
  expect(sent.status).toBe(200);
  await expect.poll(() => inQueue("dead-letters"), { timeout: 25_000 }).toContain("bad");
  await expect.poll(() => inQueue("work"), { timeout: 25_000 }).not.toContain("good");
  expect(await readWork("bad")).toMatchObject({ received: { N: 2 }, lastCount: { S: "2" } });
  for (const id of ["good-1", "good-2"]) {
    expect(await readWork(id)).toEqual({
      received: { N: 1 },
      lastCount: { S: "1" },
      arn: { S: "arn:aws:sqs:us-east-1:000000000000:work" },
    });
  }
  expect(await inQueue("dead-letters")).not.toContain("good");
});

test("batches of one message run concurrently, up to the maximum concurrency of the mapping", {
  tags: "nightly",
}, async () => {
  for (let round = 0; round < 10; round += 1) {
    const sent = await able({
      service: "sqs",
      operation: "SendMessageBatch",
      request: {
        QueueUrl: "$SINGLES_URL",
        Entries: Array.from({ length: 10 }, (_, at) => ({
          Id: `m${at}`,
          MessageBody: "one-of-100",
        })),
      },
    });
    expect(sent.status).toBe(200);
  }
  // Each invocation waits for the hundredth: with a lower concurrency none would complete.
  await expect
    .poll(async () => (await fixture.post("/together", {})).text(), { timeout: 25_000 })
    .toBe("100");
  await expect.poll(() => inQueue("singles"), { timeout: 25_000 }).not.toContain("one-of-100");
});
