import { asError } from "../runtime/as-error.ts";
import { queueUrl } from "../runtime/env.ts";
import { log } from "../runtime/log.ts";
import type { QueueName } from "./queues.ts";
import { sqs } from "./sqs.ts";

/** Lets a message that failed come again after so many seconds. Where that fails it comes when the queue says. */
export const postpone = async (
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
    log().warn("message could not be postponed", { queue, error: asError(error) });
  }
};
