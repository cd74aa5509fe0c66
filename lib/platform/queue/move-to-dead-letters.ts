import type { SQSRecord } from "aws-lambda";
import { deadLettersUrl } from "./queue-urls.ts";
import { orderedQueues, type QueueName } from "./queues.ts";
import { readRequestId, requestAttributes } from "./request-attribute.ts";
import { sqs } from "./sqs.ts";

/** Sends a message to its dead-letter queue before SQS would move it there. */
export const moveToDeadLetters = async (
  queue: QueueName,
  record: SQSRecord,
  group: string,
): Promise<void> => {
  const { messageId, body, attributes } = record;
  const { sdk, client } = await sqs();
  await client.send(
    new sdk.SendMessageCommand({
      QueueUrl: deadLettersUrl(queue),
      MessageBody: body,
      MessageGroupId: attributes.MessageGroupId ?? group,
      MessageAttributes: requestAttributes(readRequestId(record)),
      ...(orderedQueues.includes(queue) && { MessageDeduplicationId: messageId }),
    }),
  );
};
