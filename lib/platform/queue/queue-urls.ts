import { readVariable } from "../runtime/env.ts";
import { deadLettersVariable, type QueueName, queueVariable } from "./queues.ts";

/** Returns the URL of a queue that the function may send to. */
export const queueUrl = (queue: QueueName): string => readVariable(queueVariable(queue))();

/** Returns the URL of a queue's dead-letter queue. */
export const deadLettersUrl = (queue: QueueName): string =>
  readVariable(deadLettersVariable(queue))();
