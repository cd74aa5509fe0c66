import { queueUrl } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import type { QueueName } from "./queues.ts";

/** Puts a message on a queue, fair between tenants. Resolves when the queue has it. */
export type Send = (queue: QueueName, tenantId: TenantId, message: unknown) => Promise<void>;

const sqs = once(async () => {
  const sdk = await import("@aws-sdk/client-sqs");
  return { sdk, client: new sdk.SQSClient({}) };
});

/** Sends by SQS. Its SDK is loaded on first use. */
export const send: Send = async (queue, tenantId, message) => {
  const { sdk, client } = await sqs();
  await client.send(
    new sdk.SendMessageCommand({
      QueueUrl: queueUrl(queue),
      MessageBody: JSON.stringify(message),
      MessageGroupId: tenantId,
    }),
  );
};
