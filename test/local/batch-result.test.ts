import { expect, test } from "vitest";
import { doneMessages } from "../../infra/local/events/batch-result.ts";
import type { ReceivedMessage } from "../../infra/local/events/sqs-event.ts";
import { sqsEvent } from "../../infra/local/events/sqs-event.ts";

const message = (id: string): ReceivedMessage => ({
  MessageId: id,
  ReceiptHandle: `receipt-${id}`,
  Body: `body-${id}`,
  MD5OfBody: "md5",
  Attributes: { ApproximateReceiveCount: "3", SentTimestamp: "1" },
  MessageAttributes: { kind: { DataType: "String", StringValue: "x" } },
});
const batch = ["a", "b", "c"].map(message);
const done = (returned: unknown, reports = true) =>
  doneMessages(batch, { type: "result", payload: JSON.stringify(returned) }, reports).map(
    (each) => each.MessageId,
  );
const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test.each([
  ["nothing returned", null],
  ["an empty list", failures()],
  ["no list", {}],
  ["a list that is null", { batchItemFailures: null }],
])("%s is full success", (_, returned) => {
  expect(done(returned)).toEqual(["a", "b", "c"]);
});

test("the messages named as failures stay, the others are done", () => {
  expect(done(failures("b"))).toEqual(["a", "c"]);
});

test.each([
  ["an empty identifier", failures("")],
  ["an identifier that is null", failures(null)],
  ["an unknown identifier", failures("z")],
  ["a wrong key name", { batchItemFailures: [{ id: "a" }] }],
  ["another shape", "text"],
])("%s fails the whole batch", (_, returned) => {
  expect(done(returned)).toEqual([]);
});

test("a throw, a timeout and a crash fail the whole batch", () => {
  expect(doneMessages(batch, { type: "error", error: "e" }, true)).toEqual([]);
  expect(doneMessages(batch, { type: "timeout" }, false)).toEqual([]);
  expect(doneMessages(batch, { type: "crash", error: "e" }, true)).toEqual([]);
});

test("a function that does not report item failures is done with the batch, whatever it returns", () => {
  expect(done(failures("b"), false)).toEqual(["a", "b", "c"]);
});

test("the event has the shape that Lambda gives", () => {
  expect(sqsEvent([message("a")], "arn:q")).toEqual({
    Records: [
      {
        messageId: "a",
        receiptHandle: "receipt-a",
        body: "body-a",
        attributes: {
          ApproximateReceiveCount: "3",
          SentTimestamp: "1",
          SenderId: "",
          ApproximateFirstReceiveTimestamp: "0",
        },
        messageAttributes: {
          kind: {
            dataType: "String",
            stringValue: "x",
            stringListValues: [],
            binaryListValues: [],
          },
        },
        md5OfBody: "md5",
        eventSource: "aws:sqs",
        eventSourceARN: "arn:q",
        awsRegion: "us-east-1",
      },
    ],
  });
});
