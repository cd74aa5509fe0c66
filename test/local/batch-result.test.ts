import { expect, test } from "vitest";
import { completedMessages } from "../../infra/local/events/batch-result.ts";
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
const completed = (returned: unknown, reports = true) =>
  completedMessages(batch, { type: "result", payload: JSON.stringify(returned) }, reports).map(
    (completedMessage) => completedMessage.MessageId,
  );
const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test.each([
  ["nothing returned", null],
  ["an empty list", failures()],
  ["no list", {}],
  ["a list that is null", { batchItemFailures: null }],
])("%s deletes the whole batch", (_, returned) => {
  expect(completed(returned)).toEqual(["a", "b", "c"]);
});

test("reported failures are kept, the other messages deleted", () => {
  expect(completed(failures("b"))).toEqual(["a", "c"]);
});

test.each([
  ["an empty identifier", failures("")],
  ["an identifier that is null", failures(null)],
  ["an unknown identifier", failures("z")],
  ["a wrong key name", { batchItemFailures: [{ id: "a" }] }],
  ["another shape", "text"],
])("%s keeps the whole batch", (_, returned) => {
  expect(completed(returned)).toEqual([]);
});

test("an error, a timeout and a crash keep the whole batch", () => {
  expect(completedMessages(batch, { type: "error", error: "e" }, true)).toEqual([]);
  expect(completedMessages(batch, { type: "timeout" }, false)).toEqual([]);
  expect(completedMessages(batch, { type: "crash", error: "e" }, true)).toEqual([]);
});

test("without ReportBatchItemFailures a result deletes the whole batch", () => {
  expect(completed(failures("b"), false)).toEqual(["a", "b", "c"]);
});

test("the event has the shape of Lambda's SQS event", () => {
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
