import type { SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { localRegion } from "../template/physical.ts";

const Attribute = z.object({
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
  DataType: z.string(),
});

/** A message in the response of ReceiveMessage. */
export const ReceivedMessage = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  MD5OfMessageAttributes: z.string().optional(),
  Attributes: z.record(z.string(), z.string()).default({}),
  MessageAttributes: z.record(z.string(), Attribute).default({}),
});
export type ReceivedMessage = z.output<typeof ReceivedMessage>;

/** Builds the Lambda event of a batch of messages. */
export const sqsEvent = (messages: readonly ReceivedMessage[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => toSqsRecord(message, queueArn)),
});

const toSqsRecord = (message: ReceivedMessage, queueArn: string): SQSRecord => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: {
    ...message.Attributes,
    ApproximateReceiveCount: message.Attributes.ApproximateReceiveCount ?? "1",
    SentTimestamp: message.Attributes.SentTimestamp ?? "0",
    SenderId: message.Attributes.SenderId ?? "",
    ApproximateFirstReceiveTimestamp: message.Attributes.ApproximateFirstReceiveTimestamp ?? "0",
  },
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes).map(([name, attribute]) => [
      name,
      {
        dataType: parseDataType(attribute.DataType),
        ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
        ...(attribute.BinaryValue !== undefined && { binaryValue: attribute.BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  ),
  md5OfBody: message.MD5OfBody,
  ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
  eventSource: "aws:sqs",
  eventSourceARN: queueArn,
  awsRegion: localRegion,
});

const parseDataType = (given: string): "String" | "Number" | "Binary" =>
  given.startsWith("Number") ? "Number" : given.startsWith("Binary") ? "Binary" : "String";
