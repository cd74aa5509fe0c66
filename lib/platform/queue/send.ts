import { setTimeout as sleep } from "node:timers/promises";
import { retryDelayMs, retryUntil, ServiceBusyError } from "../runtime/aws-retry.ts";
import { splitEvery } from "../runtime/split-every.ts";
import { messageBody } from "./message-body.ts";
import { queueUrl } from "./queue-urls.ts";
import type { QueueName } from "./queues.ts";
import { requestAttributes } from "./request-attribute.ts";
import { sqs } from "./sqs.ts";

/**
 * Sends a message to a queue that is fair between groups, mostly tenants. Resolves when the queue has accepted it.
 * Ordered queues do not support `delaySeconds`.
 */
export type Send = (
  queue: QueueName,
  group: string,
  message: unknown,
  delaySeconds?: number,
) => Promise<void>;

/** Sends many messages to a queue, ten per call. Resolves when the queue has accepted all of them. */
export type SendMany = (
  queue: QueueName,
  group: string,
  messages: readonly unknown[],
) => Promise<void>;

const batchSize = 10;

/** Sends a message with SQS; the SDK is loaded on first use. */
export const send: Send = async (queue, group, message, delaySeconds) => {
  const { sdk, client } = await sqs();
  await client.send(
    new sdk.SendMessageCommand({
      QueueUrl: queueUrl(queue),
      MessageBody: messageBody(message),
      MessageGroupId: group,
      MessageAttributes: requestAttributes(),
      ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
    }),
  );
};

/** Sends messages with SQS; retries the failed ones of a batch. */
export const sendMany: SendMany = async (queue, group, messages) => {
  const { sdk, client } = await sqs();
  const QueueUrl = queueUrl(queue);
  const sendBatch = async (batch: readonly unknown[]): Promise<void> => {
    let left = batch.map((message, at) => ({
      Id: String(at),
      MessageBody: messageBody(message),
      MessageGroupId: group,
      MessageAttributes: requestAttributes(),
    }));
    const until = retryUntil(Date.now());
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (Date.now() >= until) throw new ServiceBusyError(`the queue ${queue} refused messages`);
      if (attempt > 0) await sleep(retryDelayMs(attempt));
      const { Failed = [] } = await client.send(
        new sdk.SendMessageBatchCommand({ QueueUrl, Entries: left }),
      );
      const failed = new Set(Failed.map(({ Id }) => Id));
      left = left.filter(({ Id }) => failed.has(Id));
    }
  };
  await Promise.all(splitEvery(messages, batchSize).map(sendBatch));
};
