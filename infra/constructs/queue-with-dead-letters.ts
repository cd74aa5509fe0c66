import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
} from "aws-cdk-lib/aws-sqs";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import {
  maxReceives,
  orderedQueues,
  type QueueName,
  visibilityTimeouts,
} from "../../lib/platform/queue/queues.ts";
import { deadLetterQueueName, queueName } from "../settings/names.ts";

/** Properties of a queue. */
export type QueueWithDeadLettersProps = {
  prefix: string;
  queue: QueueName;
  /** Timeout of the consumer. */
  consumerTimeoutSeconds: number;
};

/** Throughput and deduplication per group. Messages contain IDs, so equal content is a duplicate. */
const ordered = {
  fifo: true,
  contentBasedDeduplication: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;

/**
 * A queue and its dead-letter queue, both encrypted and TLS only. A message moves to the dead-letter queue after five
 * failures and is retained for 14 days, the maximum of SQS. Both outlive their stack, as they hold accepted work.
 */
export class QueueWithDeadLetters extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: QueueWithDeadLettersProps) {
    super(scope, id);
    const isOrdered = orderedQueues.includes(props.queue);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // Deleted only when their creation is rolled back: their names are fixed, so the next attempt would fail.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      ...(isOrdered && ordered),
    };
    this.deadLetters = new Queue(this, "DeadLetters", {
      ...common,
      queueName: deadLetterQueueName(props.prefix, props.queue),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, "Queue", {
      ...common,
      queueName: queueName(props.prefix, props.queue),
      // Messages behind a failing one in an ordered queue expire after the retention period.
      retentionPeriod: Duration.days(isOrdered ? 14 : 4),
      // Six times the consumer's timeout, as Lambda recommends.
      visibilityTimeout: Duration.seconds(visibilityTimeouts * props.consumerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives(props.queue) },
    });
  }
}
