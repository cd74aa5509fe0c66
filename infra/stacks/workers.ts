import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { FunctionSurroundings } from "../constructs/function-maker.ts";
import { queueWorker } from "../constructs/queue-worker.ts";
import { scheduledJob } from "../constructs/scheduled-job.ts";
import type { Product } from "../product.ts";

/** The functions of consumers and jobs, and their triggers. */
export class WorkersStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & FunctionSurroundings & { product: Product },
  ) {
    super(scope, id, props);
    for (const worker of props.product.workers) queueWorker(this, worker, props);
    for (const job of props.product.schedules) scheduledJob(this, job, props);
  }
}
