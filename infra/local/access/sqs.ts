import * as z from "zod";
import type { Access } from "../template/authorizer.ts";
import { localAccount, localRegion } from "../template/physical.ts";

const Request = z.object({ QueueUrl: z.string().optional(), QueueName: z.string().optional() });

const batchActions: Readonly<Record<string, string>> = {
  SendMessageBatch: "SendMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
};

/** Returns the access of an SQS request. As on AWS, a batch is authorized as its single action. */
export const sqsAccess = (operation: string, body: unknown): Access => {
  const { QueueUrl, QueueName } = Request.parse(body);
  const name = QueueUrl?.split("/").at(-1) ?? QueueName ?? "";
  return {
    action: `sqs:${batchActions[operation] ?? operation}`,
    resource: `arn:aws:sqs:${localRegion}:${localAccount}:${name}`,
  };
};
