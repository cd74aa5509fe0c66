import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { queueVariable } from "../../lib/queue/queues.ts";
import type { WorkerRecord } from "../functions.ts";
import { type FunctionSurroundings, makeFunction } from "./function-maker.ts";
import type { ProductFunction } from "./product-function.ts";

/** Functions that a queue may have running at a time, so that a flood cannot take all of the account's. */
const maxConcurrency = 50;

/** The function of a consumer, with the mapping that brings its messages; failures are reported one by one. */
export const queueWorker = (
  scope: Construct,
  record: WorkerRecord,
  surroundings: FunctionSurroundings,
): ProductFunction => {
  const { queue } = surroundings.data.queue(record.queue);
  const worker = makeFunction(scope, record, surroundings, {
    description: `Works on the queue ${record.queue}`,
    environment: { [queueVariable(record.queue)]: queue.queueUrl },
    statements: [
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: [
          "sqs:ReceiveMessage",
          "sqs:DeleteMessage",
          "sqs:ChangeMessageVisibility",
          "sqs:GetQueueAttributes",
        ],
        resources: [queue.queueArn],
      }),
    ],
  });
  worker.lambda.addEventSourceMapping("Messages", {
    eventSourceArn: queue.queueArn,
    batchSize: record.batchSize,
    ...(record.batchSize > 10 && { maxBatchingWindow: Duration.seconds(1) }),
    reportBatchItemFailures: true,
    maxConcurrency: record.maxConcurrency ?? maxConcurrency,
  });
  return worker;
};
