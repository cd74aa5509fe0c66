import type { Worker } from "node:worker_threads";

const megabyte = 1_000_000;
const pauseMs = 100;

/**
 * Calls `onReached` once a thread holds more than `megabytes` outside of its heap, such as buffers that a library expands
 * into; V8 limits the heap alone. Returns a function that cancels it.
 */
export const limitMemory = (
  worker: Worker,
  megabytes: number,
  onReached: () => void,
): (() => void) => {
  let isCancelled = false;
  const check = async (): Promise<void> => {
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    if (isCancelled) return;
    if ((statistics?.external_memory ?? 0) > megabytes * megabyte) onReached();
    else timer = setTimeout(() => void check(), pauseMs);
  };
  let timer = setTimeout(() => void check(), pauseMs);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
};
