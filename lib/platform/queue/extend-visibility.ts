import { changeVisibility } from "./change-visibility.ts";
import type { QueueName } from "./queues.ts";

/**
 * Keeps extending a message's visibility timeout by `seconds`, so that it is redelivered soon after a crash.
 * Returns a function that stops and waits for the call in progress.
 */
export const extendVisibility = (
  queue: QueueName,
  receiptHandle: string,
  seconds: number,
): (() => Promise<void>) => {
  let underWay = changeVisibility(queue, receiptHandle, seconds);
  const timer = setInterval(() => {
    underWay = underWay.then(() => changeVisibility(queue, receiptHandle, seconds));
  }, seconds * 250);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};
