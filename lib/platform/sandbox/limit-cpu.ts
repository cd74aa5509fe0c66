import type { Worker } from "node:worker_threads";

/** Wall-clock limit as a multiple of the processor time, for busy machines. */
const maxWaiting = 10;
/** Milliseconds to wait for a thread that is in native code and cannot report its usage. */
const maxReadMs = 500;

/**
 * Calls `onReached` once the thread has used `limitMs` of processor time beyond `fromMs`, or ten times as long by
 * the clock. Returns a function that cancels it.
 */
export const limitCpu = (
  worker: Worker,
  { limitMs, fromMs }: { limitMs: number; fromMs: number },
  onReached: () => void,
): (() => void) => {
  const endsAt = performance.now() + maxWaiting * limitMs;
  let isCancelled = false;
  const check = async (): Promise<void> => {
    const usedMs = await readCpuMs(worker);
    if (isCancelled) return;
    const leftMs = usedMs === undefined ? 0 : limitMs - (usedMs - fromMs);
    if (leftMs <= 0 || performance.now() >= endsAt) onReached();
    else timer = setTimeout(() => void check(), Math.max(5, leftMs));
  };
  let timer = setTimeout(() => void check(), Math.max(1, limitMs));
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
};

const readCpuMs = async (worker: Worker): Promise<number | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), maxReadMs);
  const usage = await Promise.race([worker.cpuUsage().catch(() => undefined), late.promise]);
  clearTimeout(timer);
  return usage && (usage.user + usage.system) / 1_000;
};
