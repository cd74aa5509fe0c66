import { resolve } from "node:path";
import { orderedQueues, type QueueName } from "../../lib/platform/queue/queues.ts";

/** Directory of the deployed bundles, with a directory per function. */
export const builtFunctions = resolve(import.meta.dirname, "../../dist/functions");

/** Converts `get-agent` to `GetAgent`, the id of a construct, which is part of logical ids. */
export const constructId = (name: string): string =>
  name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** Physical name of a function; Lambda allows at most 64 characters. */
export const functionName = (prefix: string, name: string): string => `${prefix}-${name}`;

/** Suffix that SQS requires for the name of a FIFO queue. */
const suffix = (queue: QueueName): string => (orderedQueues.includes(queue) ? ".fifo" : "");

/** Physical name of a queue. */
export const queueName = (prefix: string, queue: QueueName): string =>
  `${prefix}-${queue}${suffix(queue)}`;

/** Physical name of a queue's dead-letter queue. */
export const deadLetterQueueName = (prefix: string, queue: QueueName): string =>
  `${prefix}-${queue}-dead-letters${suffix(queue)}`;

/** Namespace of the product's own metrics. */
export const metricsNamespace = (prefix: string): string => prefix;

/** Name of the log group of a stack's functions; of the API's stack, of its access log. */
export const logGroupName = (prefix: string, contents: StackContents): string =>
  stackName(prefix, contents);

/** Physical name of an alarm. */
export const alarmName = (prefix: string, id: string): string => `${prefix}-${id}`;

/** Name of the dashboard. */
export const dashboardName = (prefix: string): string => prefix;

/** Export name of the bucket's ARN; fixed, because a suppressed finding contains it. */
export const bucketArnExport = (prefix: string): string => `${prefix}-BucketArn`;

/** Export name of the vector bucket's ARN; fixed, because a suppressed finding contains it. */
export const vectorBucketArnExport = (prefix: string): string => `${prefix}-VectorBucketArn`;

/** Output of the data stack with the ARN of the vector bucket. */
export const vectorBucketOutput = "VectorBucketArn";

/** Output of the data stack with the name of the bucket. */
export const bucketOutput = "BucketName";

/** Output of the data stack with the id of the key of the secrets. */
export const sealKeyOutput = "SealKeyId";

/** Output of the data stack with the name of the group of schedules. */
export const scheduleGroupOutput = "ScheduleGroup";

/** Name of the REST API. */
export const apiName = (prefix: string): string => prefix;

/** The API's only stage. Paths contain the version of the interface. */
export const stageName = "live";

/** Environment variable with which `npm run destroy` makes the data stack deletable. */
export const deletableVariable = "WHARF_DELETABLE";

/** Contents of a stack; a string is an area of the API. */
export type StackContents = "Data" | "Workers" | "Api" | "Operations" | "Console" | (string & {});

/** Names of the stacks, by their contents. */
export const stackName = (prefix: string, contents: StackContents): string =>
  `${prefix}-${contents}`;
