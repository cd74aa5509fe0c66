import { trimClient } from "../runtime/aws-client.ts";
import { requestHandler } from "../runtime/aws-handler.ts";
import { awsRetries } from "../runtime/aws-retry.ts";
import { callTimeoutMs } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";

/** The SDK for SQS and its client, loaded on first use. */
export const sqs = once(async () => {
  const sdk = await import("@aws-sdk/client-sqs");
  const config = {
    cacheMiddleware: true,
    retryStrategy: awsRetries(),
    requestHandler: requestHandler(callTimeoutMs()),
  };
  return { sdk, client: trimClient(new sdk.SQSClient(config)) };
});
