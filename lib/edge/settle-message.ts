import type { SQSRecord } from "aws-lambda";
import type { Database } from "../platform/db/database.ts";
import { changeVisibility } from "../platform/queue/change-visibility.ts";
import { deferMessage } from "../platform/queue/defer-message.ts";
import { extendVisibility } from "../platform/queue/extend-visibility.ts";
import { moveToDeadLetters } from "../platform/queue/move-to-dead-letters.ts";
import {
  maxAttempts,
  maxReceives,
  type QueueName,
  visibilityTimeouts,
} from "../platform/queue/queues.ts";
import { readRequestId } from "../platform/queue/request-attribute.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";

/** The members of a consumer's row by which its messages are settled. */
type SettledRow = {
  operation: string;
  queue: QueueName;
  timeoutSeconds: number;
  visibilitySeconds?: number;
};

/** Returns 10 s after the first failure, then 40, 160, 640; 1 s after the last, before the dead-letter queue. */
const retryDelaySeconds = (attempt: number): number =>
  attempt >= maxAttempts ? 1 : 10 * 4 ** (attempt - 1);
/** Delay when the dead-letter queue does not accept a message. */
const deadLetterRetrySeconds = 60;

/** Returns what log lines of a message have. */
export const buildLogContext = ({ operation }: SettledRow, record: SQSRecord) => {
  const requestId = readRequestId(record);
  return { operation, messageId: record.messageId, ...(requestId !== undefined && { requestId }) };
};

/**
 * Keeps a message invisible while it is handled: SQS cannot distinguish a function that died from one that failed, so the next
 * attempt comes no sooner than after a failure.
 */
export const keepInvisible = (
  { queue, visibilitySeconds, timeoutSeconds }: SettledRow,
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
export const fail = async (
  row: SettledRow,
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
export const defer = async (
  { db, row }: { db: Database; row: SettledRow },
  {
    record,
    age,
    ...deferral
  }: { record: SQSRecord; group: string; now: number; until: number | undefined; age: number },
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
