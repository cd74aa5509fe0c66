import type { SQSRecord } from "aws-lambda";
import type { Database } from "../db/database.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { changeVisibility } from "./change-visibility.ts";
import { countDeferral, readDeferrals } from "./deferral-store.ts";
import { maxDelaySeconds } from "./delay-seconds.ts";
import { queueUrl } from "./queue-urls.ts";
import { maxAttempts, orderedQueues, type QueueName } from "./queues.ts";
import { readRequestId, requestAttributes } from "./request-attribute.ts";
import { sqs } from "./sqs.ts";

/** Message attributes of a deferred message. */
const attributes = {
  deferrals: "Deferrals",
  failures: "Failures",
  firstSent: "FirstSent",
} as const;

const numberIn = ({ messageAttributes }: SQSRecord, name: string): number =>
  Number(messageAttributes[name]?.stringValue ?? 0);

/**
 * Returns when the work of a message was first sent, Unix milliseconds. Each deferral sends a new message, so SQS knows
 * only the last.
 */
const readFirstSent = (record: SQSRecord): number =>
  numberIn(record, attributes.firstSent) || Number(record.attributes.SentTimestamp);

/** Returns the seconds since the work of a message was first sent, at least 0. */
export const computeAgeSeconds = (record: SQSRecord, now: number): number =>
  Math.max(0, Math.floor((now - readFirstSent(record)) / 1_000));

/** Returns whether a message replaces one that was deferred. */
export const isReplacement = (record: SQSRecord): boolean =>
  numberIn(record, attributes.deferrals) > 0;

/** Longest pause of a deferred message, in seconds. Those of an ordered queue come back at most 1,000 times. */
const maxSeconds = 30;
const maxOrderedSeconds = 120;

/** Grows exponentially with jitter, so that messages deferred together do not return together. */
const pauseSeconds = (deferrals: number, longest: number, random: number): number =>
  Math.ceil((Math.min(longest, 2 ** Math.min(deferrals, 16)) * (1 + random)) / 2);

type Deferral = { group: string; random: number; now: number; until?: number | undefined };

const received = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount);

/** Returns the seconds until the end of a lease, and one more for clocks that differ. */
const secondsUntil = (until: number, now: number): number =>
  Math.min(maxDelaySeconds, Math.max(1, Math.ceil((until - now) / 1_000) + 1));

/**
 * Defers a message while its tenant is at its limit, or until another function's lease of its work
 * ends. Does not count as an attempt. Returns whether the message must stay on the queue: an
 * ordered queue delivers it later, any other gets a copy.
 * @param random from 0 to 1
 * @param until end of the lease, Unix milliseconds; by default the pause grows with each deferral
 */
export const deferMessage = async (
  db: Database,
  queue: QueueName,
  record: SQSRecord,
  { group, random, now, until }: Deferral,
): Promise<"stays" | "replaced"> => {
  const pause = (count: number, longest: number): number =>
    until === undefined ? pauseSeconds(count, longest, random) : secondsUntil(until, now);
  if (orderedQueues.includes(queue)) {
    const seconds = pause(received(record), maxOrderedSeconds);
    await changeVisibility(queue, record.receiptHandle, seconds);
    await countDeferral(db, record.messageId, now);
    return "stays";
  }
  const deferrals = numberIn(record, attributes.deferrals) + 1;
  const number = (value: number) => ({ DataType: "Number", StringValue: String(value) });
  const { sdk, client } = await sqs();
  await client.send(
    new sdk.SendMessageCommand({
      QueueUrl: queueUrl(queue),
      MessageBody: record.body,
      MessageGroupId: record.attributes.MessageGroupId ?? group,
      DelaySeconds: pause(deferrals, maxSeconds),
      MessageAttributes: {
        ...requestAttributes(readRequestId(record)),
        [attributes.deferrals]: number(deferrals),
        [attributes.failures]: number(numberIn(record, attributes.failures) + received(record) - 1),
        [attributes.firstSent]: number(readFirstSent(record)),
      },
    }),
  );
  return "replaced";
};

/** Returns which attempt at a message this is, from 1; deferrals do not count. */
export const readAttempt = async (
  db: Database,
  queue: QueueName,
  record: SQSRecord,
): Promise<number> => {
  if (!orderedQueues.includes(queue))
    return numberIn(record, attributes.failures) + received(record);
  if (received(record) === 1) return 1;
  try {
    return Math.max(1, received(record) - (await readDeferrals(db, record.messageId)));
  } catch (error) {
    log("deferrals-unreadable", { queue, error: asError(error) });
    return Math.min(received(record), maxAttempts - 1);
  }
};
