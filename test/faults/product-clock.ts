import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

/** Loaded first in each thread of the product: `Date` is ahead of the time by as much as the threads share. */
const name = "wharf-faults-clock";

const findShared = (): SharedArrayBuffer => {
  const inherited = getEnvironmentData(name);
  if (inherited instanceof SharedArrayBuffer) return inherited;
  const created = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(name, created);
  return created;
};

const ahead = new Float64Array(findShared());
const readTime = Date.now;

Date.now = () => readTime() + (ahead[0] ?? 0);
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, newTarget),
});

/** Sets by how many milliseconds the clock of all threads is ahead. */
export const setClockAhead = (milliseconds: number): void => {
  ahead[0] = milliseconds;
};
