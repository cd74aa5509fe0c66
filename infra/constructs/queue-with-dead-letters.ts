import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
} from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { mostReceives, orderedQueues, type QueueName } from "../../lib/platform/queue/queues.ts";
import { deadLetterQueueName, queueName } from "../names.ts";

/** What a queue is made from. */
export type QueueWithDeadLettersProps = {
  prefix: string;
  queue: QueueName;
  /** The longest that a consumer may take for a batch. */
  consumerTimeoutSeconds: number;
};

/** Each group by itself, so that groups do not share a limit. Messages hold ids, so two alike are the same one. */
const ordered = {
  fifo: true,
  contentBasedDeduplication: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;

/**
 * A queue and its dead-letter queue, both encrypted and reached over TLS only. A message that failed five
 * times moves over and is kept there for 14 days, the longest that SQS keeps one.
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
      // What waits behind a message that fails is lost after this long.
      retentionPeriod: Duration.days(isOrdered ? 14 : 4),
      // Six times the consumer's timeout, as Lambda advises: it retries within one visibility.
      visibilityTimeout: Duration.seconds(6 * props.consumerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: mostReceives(props.queue) },
    });
  }
}
