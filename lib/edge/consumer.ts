import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import type { Database } from "../platform/db/database.ts";
import { changeVisibility } from "../platform/queue/change-visibility.ts";
import {
  computeAgeSeconds,
  deferMessage,
  isReplacement,
  readAttempt,
} from "../platform/queue/defer-message.ts";
import { extendVisibility } from "../platform/queue/extend-visibility.ts";
import { LeasedElsewhereError } from "../platform/queue/leased-elsewhere.ts";
import { moveToDeadLetters } from "../platform/queue/move-to-dead-letters.ts";
import {
  maxAttempts,
  maxReceives,
  type QueueName,
  visibilityTimeouts,
} from "../platform/queue/queues.ts";
import { readRequestId } from "../platform/queue/request-attribute.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { tenantConcurrency } from "../platform/runtime/env.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import { log } from "../platform/runtime/log.ts";
import { recordSeconds } from "../platform/runtime/metrics.ts";
import { withRequestId } from "../platform/runtime/request-scope.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import { functionSlots } from "../platform/slots/function-slots.ts";
import type { TenantSlots } from "../platform/slots/tenant-slots.ts";
import type { Access } from "./route.ts";

/** A message names its tenant or organization. */
export type TenantMessage = { tenantId: string } | { event: { organizationId: string } };

/** The row of a queue consumer. */
export type Consumer<Message extends z.ZodType<TenantMessage> = z.ZodType<TenantMessage>> = {
  /** kebab-case name of the file, the function and the log lines. */
  operation: string;
  queue: QueueName;
  message: Message;
  access: Access;
  timeoutSeconds: number;
  /** Default: 1,024. */
  memoryMegabytes?: number;
  /** Messages per call. Default: 1, so that text of two tenants, such as expressions and files, never shares a call. */
  batchSize?: number;
  /**
   * Visibility timeout, extended while the message is handled, so that it is redelivered soon after a crash. Default:
   * six times the timeout. An attempt that is not the first extends it to the pause after a failure, if that is longer.
   */
  visibilitySeconds?: number;
  /** Part of the queues' concurrent functions, relative to the other consumers. */
  concurrencyWeight: number;
  /** Maximum concurrent functions, however many its part would be. */
  maxConcurrency?: number;
  /** Maximum concurrent functions for one tenant. */
  tenantConcurrency: number;
};

/** Metadata of a message's delivery. */
export type Receipt = {
  /** When the function times out, Unix milliseconds. */
  deadline: number;
  /** Number of this attempt at the message, from 1. */
  attempt: number;
};

/** Returns 10 s after the first failure, then 40, 160, 640; 1 s after the last, before the dead-letter queue. */
const retryDelaySeconds = (attempt: number): number =>
  attempt >= maxAttempts ? 1 : 10 * 4 ** (attempt - 1);
/** Delay when the dead-letter queue does not accept a message. */
const deadLetterRetrySeconds = 60;

/** Clock of a consumer, and the writer of its metric. */
type Instruments = { clock: () => number; recordSeconds: typeof recordSeconds };

/** A message with its record and its tenant or organization. */
type Job<Message> = { record: SQSRecord; message: Message; group: string };

/**
 * Creates the handler of a queue consumer. Each message is parsed and handled separately. A failed one is
 * retried with a growing delay, then moved to the dead-letter queue. A message of a tenant at its concurrency limit
 * is deferred, which does not count as an attempt. Handlers must be idempotent. Records the age of deferred work since it
 * was first sent: when it is deferred again, and when it starts.
 */
export const consumer = <Message extends z.ZodType<TenantMessage>, Deps extends { db: Database }>(
  row: Consumer<Message>,
  makeDeps: () => Deps,
  handle: (message: z.output<Message>, deps: Deps, receipt: Receipt) => Promise<void>,
  instruments: Instruments = { clock: systemRuntime.clock, recordSeconds },
) => {
  let shared: TenantSlots | undefined;
  const slots = (db: Database): TenantSlots => {
    shared ??= createSlots(db, row);
    return shared;
  };

  return async (event: SQSEvent, lambda: LambdaContext): Promise<SQSBatchResponse> => {
    const deps = makeDeps();
    const { db } = deps;
    const deadline = instruments.clock() + lambda.getRemainingTimeInMillis();
    const failed = new Set<string>();
    const report = ({ messageId }: SQSRecord): unknown => failed.add(messageId);
    const ages: number[] = [];
    const measureAge = (record: SQSRecord): number => {
      const age = computeAgeSeconds(record, instruments.clock());
      ages.push(age);
      return age;
    };
    const deferLater = ({ record, group }: Omit<Job<unknown>, "message">, until?: number) =>
      defer({ db, row }, record, {
        group,
        now: instruments.clock(),
        until,
        age: measureAge(record),
      });

    const work = async ({ record, message, group }: Job<z.output<Message>>): Promise<void> => {
      const attempt = await readAttempt(db, row.queue, record);
      const release = keepInvisible(row, record, attempt);
      if (isReplacement(record)) measureAge(record);
      try {
        if (attempt > maxAttempts) throw new Error("the last attempt timed out");
        await forRequest(record, () => handle(message, deps, { deadline, attempt }));
        await release?.();
        log("operation-completed", buildLogContext(row, record));
      } catch (error) {
        await release?.();
        if (error instanceof LeasedElsewhereError) {
          if (!(await deferLater({ record, group }, error.until))) report(record);
        } else if (!(await fail(row, record, { attempt, group, error }))) report(record);
      }
    };
    const workFor = async (group: string, jobs: readonly Job<z.output<Message>>[]) => {
      const slot = await slots(db).take(group);
      if (!slot) {
        await Promise.all(jobs.map(async (job) => (await deferLater(job)) || report(job.record)));
        return;
      }
      await Promise.all(jobs.map(work));
      await slot.release();
    };

    const jobs = await Promise.all(
      event.Records.map(async (record) => {
        try {
          const message = row.message.parse(JSON.parse(record.body));
          return [{ record, message, group: toSlotGroup(message) }];
        } catch (error) {
          const attempt = await readAttempt(db, row.queue, record);
          const group = record.attributes.MessageGroupId ?? record.messageId;
          if (!(await fail(row, record, { attempt, group, error }))) report(record);
          return [];
        }
      }),
    );
    const groups = Map.groupBy(jobs.flat(), ({ group }) => group);
    await Promise.all([...groups].map(([group, members]) => workFor(group, members)));
    if (ages.length > 0) instruments.recordSeconds("DeferredWorkAge", Math.max(...ages));
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};

const createSlots = (db: Database, { queue, tenantConcurrency: limit }: Consumer) =>
  functionSlots(db, { pool: queue, limit: tenantConcurrency() ?? limit });

const toSlotGroup = (message: TenantMessage): string =>
  "tenantId" in message ? message.tenantId : message.event.organizationId;

const buildLogContext = ({ operation }: Consumer, record: SQSRecord) => {
  const requestId = readRequestId(record);
  return { operation, messageId: record.messageId, ...(requestId !== undefined && { requestId }) };
};

/** Runs work for the request that caused a message. */
const forRequest = <Result>(record: SQSRecord, work: () => Result): Result => {
  const requestId = readRequestId(record);
  return requestId === undefined ? work() : withRequestId(requestId, work);
};

/**
 * Keeps a message invisible while it is handled: SQS cannot distinguish a function that died from one that failed, so the next
 * attempt comes no sooner than after a failure.
 */
const keepInvisible = (
  { queue, visibilitySeconds, timeoutSeconds }: Consumer,
  { receiptHandle }: SQSRecord,
  attempt: number,
): (() => Promise<void>) | undefined => {
  const pause = retryDelaySeconds(attempt);
  if (visibilitySeconds !== undefined) {
    return extendVisibility(queue, receiptHandle, Math.max(visibilitySeconds, pause));
  }
  if (pause <= visibilityTimeouts * timeoutSeconds) return undefined;
  const changed = changeVisibility(queue, receiptHandle, pause);
  return () => changed;
};

/** Delays the retry of a failed message, or moves it to the dead-letter queue; true when it may be deleted. */
const fail = async (
  row: Consumer,
  record: SQSRecord,
  { attempt, group, error }: { attempt: number; group: string; error: unknown },
): Promise<boolean> => {
  const context = buildLogContext(row, record);
  log("operation-failed", { ...context, attempt, error: asError(error) });
  const { queue } = row;
  const isLastReceive = Number(record.attributes.ApproximateReceiveCount) >= maxReceives(queue);
  if (attempt < maxAttempts || isLastReceive) {
    await changeVisibility(queue, record.receiptHandle, retryDelaySeconds(attempt));
    return false;
  }
  try {
    await moveToDeadLetters(queue, record, group);
    return true;
  } catch (cause) {
    log("dead-letter-failed", {
      ...context,
      error: asError(cause),
    });
    await changeVisibility(queue, record.receiptHandle, deadLetterRetrySeconds);
    return false;
  }
};

/** Defers a message, until a lease ends if there is one; true when it may be deleted. */
const defer = async (
  { db, row }: { db: Database; row: Consumer },
  record: SQSRecord,
  { age, ...deferral }: { group: string; now: number; until: number | undefined; age: number },
): Promise<boolean> => {
  const context = { ...buildLogContext(row, record), group: deferral.group, ageSeconds: age };
  try {
    const outcome = await deferMessage(db, row.queue, record, {
      ...deferral,
      random: Math.random(),
    });
    log("operation-deferred", context);
    return outcome === "replaced";
  } catch (error) {
    log("deferral-failed", { ...context, error: asError(error) });
    await changeVisibility(row.queue, record.receiptHandle, deadLetterRetrySeconds);
    return false;
  }
};
