import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { deadLettersVariable, queueVariable } from "../../lib/platform/queue/queues.ts";
import { deriveTenantConcurrency } from "../functions/concurrency.ts";
import type { WorkerRecord } from "../functions/function-records.ts";
import { makeFunction, type StackSurroundings } from "./function-maker.ts";
import type { ProductFunction } from "./product-function.ts";

/** Creates the function of a consumer and its event source mapping, with partial batch responses. */
export const queueWorker = (
  scope: Construct,
  record: WorkerRecord,
  concurrency: number,
  surroundings: StackSurroundings,
): ProductFunction => {
  const { queue, deadLetters } = surroundings.data.queue(record.queue);
  const tenantConcurrency = deriveTenantConcurrency(record, concurrency, surroundings.config);
  const worker = makeFunction(scope, record, surroundings, {
    // Deferred messages and continued work go to the function's own queue, a bounded number of
    // times.
    recursiveLoop: RecursiveLoop.ALLOW,
    description: `Consumes the queue ${record.queue}`,
    environment: {
      [queueVariable(record.queue)]: queue.queueUrl,
      [deadLettersVariable(record.queue)]: deadLetters.queueUrl,
      TENANT_CONCURRENCY: String(tenantConcurrency),
    },
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
      // Defers messages and moves them to the dead-letter queue.
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ["sqs:SendMessage"],
        resources: [queue.queueArn, deadLetters.queueArn],
      }),
    ],
  });
  worker.lambda.addEventSourceMapping("Messages", {
    eventSourceArn: queue.queueArn,
    batchSize: record.batchSize,
    ...(record.batchSize > 10 && { maxBatchingWindow: Duration.seconds(1) }),
    reportBatchItemFailures: true,
    maxConcurrency: concurrency,
  });
  return worker;
};
