import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type * as z from "zod";
import type { LambdaContext } from "../http/answer-call.ts";
import type { Access } from "../http/route.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { systemRuntime } from "../runtime/runtime.ts";
import { hold } from "./hold.ts";
import { postpone } from "./postpone.ts";
import { mostAttempts, type QueueName } from "./queues.ts";

/** One queue consumer: the only place where anything about it is written. */
export type Consumer<Message extends z.ZodType = z.ZodType> = {
  /** kebab-case name of the file, the function and the log lines. */
  operation: string;
  queue: QueueName;
  message: Message;
  access: Access;
  timeoutSeconds: number;
  batchSize: number;
  /**
   * How long a message stays with a function that went silent: it is held for so long again and again while
   * it is worked on. Undefined: for six times the timeout. For a queue that keeps an order, where what comes
   * after it has to wait.
   */
  holdSeconds?: number;
  /** Functions that may run at a time; undefined for the queues' common bound. */
  maxConcurrency?: number;
};

/** How a message came. */
export type Receipt = {
  /** When the function will be cut off, Unix milliseconds. */
  deadline: number;
  /** How often the message came, this time included. */
  attempt: number;
};

/** 10 s after the first failure, then 40, 160, 640; after the last none: what waits for a dead letter may go on. */
const retryPauseSeconds = (attempt: number): number =>
  attempt >= mostAttempts ? 0 : 10 * 4 ** (attempt - 1);

/**
 * The handler of a queue consumer. Each message is parsed and handled by itself; one that fails is
 * reported alone and comes again, after a pause that grows, until it lands in the dead-letter queue.
 * Handlers must be idempotent: a message may arrive twice.
 */
export const consumer =
  <Message extends z.ZodType, Deps>(
    row: Consumer<Message>,
    makeDeps: () => Deps,
    handle: (message: z.output<Message>, deps: Deps, receipt: Receipt) => Promise<void>,
  ) =>
  async (event: SQSEvent, lambda: LambdaContext): Promise<SQSBatchResponse> => {
    const deps = makeDeps();
    const deadline = systemRuntime.clock() + lambda.getRemainingTimeInMillis();
    const failed: string[] = [];
    await Promise.all(
      event.Records.map(async (record) => {
        const context = { operation: row.operation, messageId: record.messageId };
        const attempt = Number(record.attributes.ApproximateReceiveCount);
        const release = row.holdSeconds
          ? hold(row.queue, record.receiptHandle, row.holdSeconds)
          : undefined;
        try {
          await handle(row.message.parse(JSON.parse(record.body)), deps, { deadline, attempt });
          await release?.();
          log().info(`${row.operation} completed`, context);
        } catch (error) {
          await release?.();
          failed.push(record.messageId);
          await postpone(row.queue, record.receiptHandle, retryPauseSeconds(attempt));
          log().error(`${row.operation} failed`, {
            ...context,
            attempt,
            error: asError(error),
          });
        }
      }),
    );
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
