import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { FunctionSurroundings } from "../constructs/function-maker.ts";
import { queueWorker } from "../constructs/queue-worker.ts";
import { scheduledJob } from "../constructs/scheduled-job.ts";
import { stackLogs } from "../constructs/stack-logs.ts";
import { queueConcurrency } from "../functions/concurrency.ts";
import type { Product } from "../functions/product.ts";

/** The functions of consumers and jobs, and their triggers. */
export class WorkersStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & FunctionSurroundings & { product: Product },
  ) {
    super(scope, id, props);
    const logGroup = stackLogs(this, "Logs", props.config.LOG_RETENTION_DAYS);
    const surroundings = { ...props, logGroup };
    const concurrency = queueConcurrency(props.product.workers, props.config);
    for (const worker of props.product.workers) {
      queueWorker(this, worker, concurrency.get(worker.name) ?? 0, surroundings);
    }
    for (const job of props.product.schedules) scheduledJob(this, job, surroundings);
  }
}
