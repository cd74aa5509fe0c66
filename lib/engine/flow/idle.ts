import { setImmediate } from "node:timers/promises";

/** Counts the work of a run that does not wait, to know when nothing is left but waits. */
export type Activity = {
  /** Counts work while it runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does not count the caller, which is counted, while it waits for `work`. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Aborted once nothing is counted while a wait is open. */
  readonly idle: AbortSignal;
  /** As `without`, for work that may wait forever. */
  waiting<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** Creates the count of a new run. */
export const createActivity = (): Activity => {
  const idle = new AbortController();
  let active = 0;
  let open = 0;

  // A pool starts its next work some microtasks after the one before has ended.
  const check = async (): Promise<void> => {
    if (active > 0 || open === 0) return;
    await setImmediate();
    if (active === 0 && open > 0) idle.abort();
  };
  const change = (by: 1 | -1): void => {
    active += by;
    if (active === 0) void check();
  };
  const shifted =
    (by: 1 | -1) =>
    async <Result>(work: () => Promise<Result>): Promise<Result> => {
      change(by);
      try {
        return await work();
      } finally {
        change(by === 1 ? -1 : 1);
      }
    };
  const without = shifted(-1);
  return {
    during: shifted(1),
    without,
    idle: idle.signal,
    waiting: async (work) => {
      open += 1;
      try {
        return await without(work);
      } finally {
        open -= 1;
      }
    },
  };
};
