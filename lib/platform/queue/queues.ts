/** The queues, by name. A row that sends to one says so; the stack declares each with its dead-letter queue. */
export const queueNames = [
  "calls",
  "chats",
  "deliveries",
  "events",
  "executions",
  "housekeeping",
  "mails",
  "registrations",
  "schedules",
  "subscribers",
] as const;

/**
 * Those that hand out the messages of a group one after the other, in the order in which they were sent; the
 * others are fair between groups.
 */
export const orderedQueues: readonly string[] = ["chats"];

/** How often a message is tried before it becomes a dead letter. */
export const mostAttempts = 5;

/**
 * How often a queue hands out a message before it becomes a dead letter without the consumer's doing. An ordered
 * queue counts messages that were only put off, too: there the consumer counts attempts, and this is SQS' maximum.
 */
export const mostReceives = (queue: QueueName): number =>
  orderedQueues.includes(queue) ? 1_000 : mostAttempts;

/** Name of a queue. */
export type QueueName = (typeof queueNames)[number];

/** The environment variable that holds the URL of a queue. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;

/** The environment variable that holds the URL of a queue's dead-letter queue. */
export const deadLettersVariable = (queue: QueueName): string =>
  `DEAD_LETTERS_URL_${queue.toUpperCase()}`;
