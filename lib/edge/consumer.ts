import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import type { Database } from "../platform/db/database.ts";
import { computeAgeSeconds, isReplacement, readAttempt } from "../platform/queue/defer-message.ts";
import { LeasedElsewhereError } from "../platform/queue/leased-elsewhere.ts";
import { maxAttempts, type QueueName } from "../platform/queue/queues.ts";
import { readRequestId } from "../platform/queue/request-attribute.ts";
import { tenantConcurrency } from "../platform/runtime/env.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import { log } from "../platform/runtime/log.ts";
import { recordSeconds } from "../platform/runtime/metrics.ts";
import { forRequest } from "../platform/runtime/request-scope.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import { functionSlots } from "../platform/slots/function-slots.ts";
import type { TenantSlots } from "../platform/slots/tenant-slots.ts";
import type { Access } from "./route.ts";
import { buildLogContext, defer, fail, keepInvisible } from "./settle-message.ts";

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
  /**
   * Messages per call. Default: 1, so that text of two tenants, such as expressions and files, never shares a call, unless the
   * handler separates them.
   */
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

/** Clock of a consumer, and the writer of its metric. */
type Instruments = { clock: () => number; recordSeconds: typeof recordSeconds };

/** A message of a batch with the metadata of its delivery, and the id of the request that caused it. */
export type BatchJob<Message> = {
  message: Message;
  receipt: Receipt;
  requestId: string | undefined;
};

/** A function call with the messages of a batch. */
export type BatchCall = {
  /** When the function times out, Unix milliseconds. */
  deadline: number;
  /** Tenants with messages in the batch. */
  tenants: number;
  /** Runs work of one tenant when the work of the others that asked before has ended. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/** Handles the messages of one tenant in a batch. Returns a promise per message, in their order, which rejects if it failed. */
export type HandleBatch<Message, Deps> = (
  jobs: readonly BatchJob<Message>[],
  deps: Deps,
  call: BatchCall,
) => readonly Promise<void>[];

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
  instruments?: Instruments,
) =>
  batchConsumer(
    row,
    makeDeps,
    (jobs, deps) =>
      jobs.map(({ message, receipt, requestId }) =>
        forRequest(requestId, () => handle(message, deps, receipt)),
      ),
    instruments,
  );

/** Creates the handler of a queue consumer, as `consumer`, that handles the messages of a tenant in a batch together. */
export const batchConsumer = <
  Message extends z.ZodType<TenantMessage>,
  Deps extends { db: Database },
>(
  row: Consumer<Message>,
  makeDeps: () => Deps,
  handle: HandleBatch<z.output<Message>, Deps>,
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
      defer(
        { db, row },
        {
          record,
          group,
          now: instruments.clock(),
          until,
          age: measureAge(record),
        },
      );

    const open = async (job: Job<z.output<Message>>) => {
      const { record } = job;
      const attempt = await readAttempt(db, row.queue, record);
      const release = keepInvisible(row, record, attempt);
      if (isReplacement(record)) measureAge(record);
      return { ...job, attempt, release };
    };
    const settle = async (
      { record, group, attempt, release }: Awaited<ReturnType<typeof open>>,
      work: Promise<void>,
    ): Promise<void> => {
      try {
        await work;
        await release?.();
        log("operation-completed", buildLogContext(row, record));
      } catch (error) {
        await release?.();
        if (error instanceof LeasedElsewhereError) {
          if (!(await deferLater({ record, group }, error.until))) report(record);
        } else if (!(await fail(row, record, { attempt, group, error }))) report(record);
      }
    };
    const workFor = async (
      group: string,
      jobs: readonly Job<z.output<Message>>[],
      call: BatchCall,
    ) => {
      const slot = await slots(db).take(group);
      if (!slot) {
        await Promise.all(jobs.map(async (job) => (await deferLater(job)) || report(job.record)));
        return;
      }
      const opened = await Promise.all(jobs.map(open));
      const over = opened.filter(({ attempt }) => attempt > maxAttempts);
      const ready = opened.filter(({ attempt }) => attempt <= maxAttempts);
      const works = handle(
        ready.map(({ message, record, attempt }) => ({
          message,
          receipt: { deadline, attempt },
          requestId: readRequestId(record),
        })),
        deps,
        call,
      );
      await Promise.all([
        ...ready.map((job, at) =>
          settle(job, works[at] ?? Promise.reject(new Error("the message was not handled"))),
        ),
        ...over.map((job) => settle(job, Promise.reject(new Error("the last attempt timed out")))),
      ]);
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
    const call = { deadline, tenants: groups.size, inTurn: takeTurns() };
    await Promise.all([...groups].map(([group, members]) => workFor(group, members, call)));
    if (ages.length > 0) instruments.recordSeconds("DeferredWorkAge", Math.max(...ages));
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};

const takeTurns = (): BatchCall["inTurn"] => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
};

const createSlots = (db: Database, { queue, tenantConcurrency: limit }: Consumer) =>
  functionSlots(db, { pool: queue, limit: tenantConcurrency() ?? limit });

const toSlotGroup = (message: TenantMessage): string =>
  "tenantId" in message ? message.tenantId : message.event.organizationId;
