/** Waits, after a call that used capacity units, until the next call keeps the rate. */
export type Pace = (units: number) => Promise<void>;

/** Creates the pace of calls that use at most some capacity units a second, on average. Times in milliseconds. */
export const createPace = (
  unitsPerSecond: number,
  clock: () => number,
  sleep: (ms: number) => Promise<unknown>,
): Pace => {
  let free = clock();
  return async (units) => {
    free = Math.max(free, clock() - 1_000) + (units / unitsPerSecond) * 1_000;
    const wait = free - clock();
    if (wait > 0) await sleep(wait);
  };
};
