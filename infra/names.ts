import { resolve } from "node:path";
import { orderedQueues, type QueueName } from "../lib/platform/queue/queues.ts";

/** Where the bundles are that are deployed: one directory for each function. */
export const builtFunctions = resolve(import.meta.dirname, "../dist/functions");

/** `get-agent` becomes `GetAgent`: the id of a construct, which ends up in logical ids. */
export const constructId = (name: string): string =>
  name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** Physical name of a function; Lambda takes at most 64 characters. */
export const functionName = (prefix: string, name: string): string => `${prefix}-${name}`;

/** SQS wants the name of a queue that keeps an order to end in this. */
const suffix = (queue: QueueName): string => (orderedQueues.includes(queue) ? ".fifo" : "");

/** Physical name of a queue. */
export const queueName = (prefix: string, queue: QueueName): string =>
  `${prefix}-${queue}${suffix(queue)}`;

/** Physical name of a queue's dead-letter queue. */
export const deadLetterQueueName = (prefix: string, queue: QueueName): string =>
  `${prefix}-${queue}-dead-letters${suffix(queue)}`;

/** Name under which the data stack exports the bucket's ARN: known before synthesis, as a finding names it. */
export const bucketArnExport = (prefix: string): string => `${prefix}-BucketArn`;

/** Name of the REST API. */
export const apiName = (prefix: string): string => prefix;

/** The API's one stage. Paths begin with the interface's version themselves. */
export const stageName = "live";
