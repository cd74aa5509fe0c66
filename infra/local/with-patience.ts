import { setTimeout as pause } from "node:timers/promises";

/** Waits for what shall end, for `milliseconds` at most. */
export const withPatience = async (end: Promise<unknown>, milliseconds: number): Promise<void> => {
  const ended = new AbortController();
  const late = pause(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([end, late]);
  ended.abort();
};
