import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import { database } from "../platform/db/database.ts";
import { attemptOf, deferMessage } from "../platform/queue/defer-message.ts";
import { hold } from "../platform/queue/hold.ts";
import { moveToDeadLetters } from "../platform/queue/move-to-dead-letters.ts";
import { postpone } from "../platform/queue/postpone.ts";
import { mostAttempts, mostReceives, type QueueName } from "../platform/queue/queues.ts";
import { createTenantSlots, type TenantSlots } from "../platform/queue/tenant-slots.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { tenantConcurrency } from "../platform/runtime/env.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import { log } from "../platform/runtime/log.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import type { Access } from "./route.ts";

/** Every message says for whom the work is. */
export type TenantMessage = { tenantId: string } | { event: { organizationId: string } };

/** One queue consumer: the only place where anything about it is written. */
export type Consumer<Message extends z.ZodType<TenantMessage> = z.ZodType<TenantMessage>> = {
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
  /** Those of them that may work for one tenant at a time. */
  tenantConcurrency: number;
};

/** How a message came. */
export type Receipt = {
  /** When the function will be cut off, Unix milliseconds. */
  deadline: number;
  /** Which attempt at the message this is, from 1. */
  attempt: number;
};

/** 10 s after the first failure, then 40, 160, 640; after the last none: what waits for a dead letter may go on. */
const retryPauseSeconds = (attempt: number): number =>
  attempt >= mostAttempts ? 0 : 10 * 4 ** (attempt - 1);
/** When the dead-letter queue itself does not take a message. */
const giveUpPauseSeconds = 60;

/** A message with its record and whom it is for. */
type Job<Message> = { record: SQSRecord; message: Message; group: string };

/**
 * The handler of a queue consumer. Each message is parsed and handled by itself; one that fails is reported alone
 * and comes again, after a pause that grows, until it lands in the dead-letter queue. A message whose tenant has as
 * many functions at work as its row allows is put off, which is no attempt. Handlers must be idempotent: a message
 * may arrive twice.
 */
export const consumer = <Message extends z.ZodType<TenantMessage>, Deps>(
  row: Consumer<Message>,
  makeDeps: () => Deps,
  handle: (message: z.output<Message>, deps: Deps, receipt: Receipt) => Promise<void>,
) => {
  let shared: TenantSlots | undefined;
  const slots = (): TenantSlots => {
    shared ??= slotsOf(row);
    return shared;
  };

  return async (event: SQSEvent, lambda: LambdaContext): Promise<SQSBatchResponse> => {
    const deps = makeDeps();
    const deadline = systemRuntime.clock() + lambda.getRemainingTimeInMillis();
    const failed = new Set<string>();
    const report = ({ messageId }: SQSRecord): unknown => failed.add(messageId);

    const work = async ({ record, message, group }: Job<z.output<Message>>): Promise<void> => {
      const attempt = await attemptOf(database(), row.queue, record);
      const release = row.holdSeconds
        ? hold(row.queue, record.receiptHandle, row.holdSeconds)
        : undefined;
      try {
        if (attempt > mostAttempts) throw new Error("it was cut off at its last attempt");
        await handle(message, deps, { deadline, attempt });
        await release?.();
        log().info(`${row.operation} completed`, contextOf(row, record));
      } catch (error) {
        await release?.();
        if (!(await fail(row, record, { attempt, group, error }))) report(record);
      }
    };
    const workFor = async (group: string, jobs: readonly Job<z.output<Message>>[]) => {
      const slot = await slots().take(group);
      if (!slot) {
        await Promise.all(jobs.map(async (job) => (await defer(row, job)) || report(job.record)));
        return;
      }
      await Promise.all(jobs.map(work));
      await slot.giveBack();
    };

    const jobs = await Promise.all(
      event.Records.map(async (record) => {
        try {
          const message = row.message.parse(JSON.parse(record.body));
          return [{ record, message, group: groupOf(message) }];
        } catch (error) {
          const attempt = await attemptOf(database(), row.queue, record);
          const group = record.attributes.MessageGroupId ?? record.messageId;
          if (!(await fail(row, record, { attempt, group, error }))) report(record);
          return [];
        }
      }),
    );
    const groups = Map.groupBy(jobs.flat(), ({ group }) => group);
    await Promise.all([...groups].map(([group, members]) => workFor(group, members)));
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};

const slotsOf = ({ queue, tenantConcurrency: limit }: Consumer) =>
  createTenantSlots({
    db: database(),
    queue,
    limit: tenantConcurrency() ?? limit,
    runtime: systemRuntime,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  });

const groupOf = (message: TenantMessage): string =>
  "tenantId" in message ? message.tenantId : message.event.organizationId;

const contextOf = ({ operation }: Consumer, { messageId }: SQSRecord) => ({ operation, messageId });

/** Lets a failed message come again later, or, after its last attempt, moves it away; true when it may be deleted. */
const fail = async (
  row: Consumer,
  record: SQSRecord,
  { attempt, group, error }: { attempt: number; group: string; error: unknown },
): Promise<boolean> => {
  const context = contextOf(row, record);
  log().error(`${row.operation} failed`, { ...context, attempt, error: asError(error) });
  const { queue } = row;
  const isLastReceive = Number(record.attributes.ApproximateReceiveCount) >= mostReceives(queue);
  if (attempt < mostAttempts || isLastReceive) {
    await postpone(queue, record.receiptHandle, retryPauseSeconds(attempt));
    return false;
  }
  try {
    await moveToDeadLetters(queue, record, group);
    return true;
  } catch (cause) {
    log().error("message could not be given up", { ...context, error: asError(cause) });
    await postpone(queue, record.receiptHandle, giveUpPauseSeconds);
    return false;
  }
};

/** Puts a message off; true when it may be deleted. */
const defer = async (row: Consumer, { record, group }: Job<unknown>): Promise<boolean> => {
  const context = contextOf(row, record);
  const now = systemRuntime.clock();
  try {
    const outcome = await deferMessage(database(), row.queue, record, {
      group,
      random: Math.random(),
      now,
    });
    log().info(`${row.operation} deferred`, context);
    return outcome === "replaced";
  } catch (error) {
    log().warn(`${row.operation} could not be deferred`, { ...context, error: asError(error) });
    await postpone(row.queue, record.receiptHandle, giveUpPauseSeconds);
    return false;
  }
};
