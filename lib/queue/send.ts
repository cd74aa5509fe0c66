import { queueUrl } from "../runtime/env.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import type { QueueName } from "./queues.ts";

/** Puts a message on a queue, fair between tenants. Resolves when the queue has it. */
export type Send = (queue: QueueName, tenantId: TenantId, message: unknown) => Promise<void>;

/** Sends by SQS. Its SDK is loaded on first use. */
export const send: Send = async (queue, tenantId, message) => {
  const { SQSClient, SendMessageCommand } = await import("@aws-sdk/client-sqs");
  await new SQSClient({}).send(
    new SendMessageCommand({
      QueueUrl: queueUrl(queue),
      MessageBody: JSON.stringify(message),
      MessageGroupId: tenantId,
    }),
  );
};
