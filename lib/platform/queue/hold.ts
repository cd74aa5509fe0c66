import { postpone } from "./postpone.ts";
import type { QueueName } from "./queues.ts";

/**
 * Holds a message that is worked on for `seconds` at a time: when this function dies, it comes again soon.
 * Returns what ends that, and resolves when nothing is under way any more.
 */
export const hold = (
  queue: QueueName,
  receiptHandle: string,
  seconds: number,
): (() => Promise<void>) => {
  let underWay = postpone(queue, receiptHandle, seconds);
  const timer = setInterval(() => {
    underWay = underWay.then(() => postpone(queue, receiptHandle, seconds));
  }, seconds * 250);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};
