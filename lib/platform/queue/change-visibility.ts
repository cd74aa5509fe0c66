import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { queueUrl } from "./queue-urls.ts";
import type { QueueName } from "./queues.ts";
import { sqs } from "./sqs.ts";

/** Sets how many seconds (at least 1) a message stays invisible. A failure is logged: the queue's own timeout then applies. */
export const changeVisibility = async (
  queue: QueueName,
  receiptHandle: string,
  seconds: number,
): Promise<void> => {
  try {
    const { sdk, client } = await sqs();
    await client.send(
      new sdk.ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl(queue),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  } catch (error) {
    log("visibility-change-failed", { queue, error: asError(error) });
  }
};
