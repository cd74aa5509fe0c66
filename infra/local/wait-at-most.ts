import { setTimeout as pause } from "node:timers/promises";

/** Waits for a promise, up to `milliseconds`. */
export const waitAtMost = async (end: Promise<unknown>, milliseconds: number): Promise<void> => {
  const ended = new AbortController();
  const late = pause(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([end, late]);
  ended.abort();
};
