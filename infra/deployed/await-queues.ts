import { setTimeout as sleep } from "node:timers/promises";
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from "@aws-sdk/client-sqs";

type QueueWait = { timeoutMs: number; intervalMs: number; print: (line: string) => void };

const counts = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
] as const;

const countMessages = async (client: SQSClient, name: string): Promise<number> => {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
  );
  return counts.reduce((total, count) => total + Number(Attributes[count] ?? 0), 0);
};

/**
 * Waits until each queue was empty once, or until the timeout, whichever is first. Returns the queues that never were:
 * their messages may be of the newer version, and those that the consumers cannot read go to the dead-letter queue.
 */
export const awaitEmptyQueues = async (
  names: readonly string[],
  { timeoutMs, intervalMs, print }: QueueWait,
): Promise<string[]> => {
  const client = new SQSClient({});
  const end = performance.now() + timeoutMs;
  let left = [...names];
  try {
    for (;;) {
      const found = await Promise.all(left.map((name) => countMessages(client, name)));
      left = left.filter((_, at) => (found[at] ?? 0) > 0);
      if (left.length === 0 || performance.now() >= end) return left;
      print(`Waiting for messages in ${left.join(", ")}`);
      await sleep(intervalMs);
    }
  } finally {
    client.destroy();
  }
};
