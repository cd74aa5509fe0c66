import { trimClient } from "../runtime/aws-client.ts";
import { awsRetries } from "../runtime/aws-retry.ts";
import { once } from "../runtime/once.ts";

/** The SDK for SQS and its client, loaded on first use. */
export const sqs = once(async () => {
  const sdk = await import("@aws-sdk/client-sqs");
  return { sdk, client: trimClient(new sdk.SQSClient({ retryStrategy: awsRetries() })) };
});
