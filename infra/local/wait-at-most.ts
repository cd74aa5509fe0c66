import { endWaits, waitWithTimer } from "../../lib/platform/runtime/wait.ts";

/** Waits for a promise, up to `milliseconds`. */
export const waitAtMost = async (end: Promise<unknown>, milliseconds: number): Promise<void> => {
  const ended = new AbortController();
  await Promise.race([end, waitWithTimer(milliseconds, ended.signal)]);
  endWaits(ended);
};
