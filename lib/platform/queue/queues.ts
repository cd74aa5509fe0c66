/**
 * Names of the queues. The stack declares them with their dead-letter queues; rows declare the ones
 * they send to.
 */
export const queueNames = [
  "calls",
  "chats",
  "deliveries",
  "documents",
  "evaluations",
  "events",
  "executions",
  "experiments",
  "housekeeping",
  "mails",
  "registrations",
  "schedules",
  "subscribers",
  "syncs",
] as const;

/** FIFO queues, which deliver the messages of a group in order; the others are fair between groups. */
export const orderedQueues: readonly string[] = ["chats"];

/** Maximum attempts at a message before it becomes a dead letter. */
export const maxAttempts = 5;

/** Visibility timeout of a queue, in timeouts of its consumer's function. */
export const visibilityTimeouts = 6;

/**
 * Returns the maximum receives after which SQS moves a message to the dead letters. In an ordered queue deferrals
 * count as receives, so there it is SQS' maximum, and the consumer counts attempts.
 */
export const maxReceives = (queue: QueueName): number =>
  orderedQueues.includes(queue) ? 1_000 : maxAttempts;

/** Name of a queue. */
export type QueueName = (typeof queueNames)[number];

/** The environment variable that holds the URL of a queue. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;

/** The environment variable that holds the URL of a queue's dead-letter queue. */
export const deadLettersVariable = (queue: QueueName): string =>
  `DEAD_LETTERS_URL_${queue.toUpperCase()}`;
