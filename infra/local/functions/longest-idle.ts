/**
 * Idle time after which a thread is terminated, as Lambda does with its environments, but sooner: a thread takes 25 to
 * 35 MB of this machine and starts in a moment.
 */
export const idleMilliseconds = 2 * 60 * 1_000;
/** Threads that a stack keeps which spares memory. */
export const mostThreads = 8;
/** Time for which a thread is kept however many there are, so that a user's next click finds it. */
const leastIdleMilliseconds = 3_000;

/**
 * Returns the idle time in milliseconds from which threads are terminated, at most `limit`, of the idle times of all
 * threads. Of more than `most` those are terminated that were not used for longest.
 */
export const longestIdle = (
  idle: readonly number[],
  most: number,
  limit = idleMilliseconds,
): number => {
  const firstTooMany = idle.toSorted((a, b) => a - b)[most] ?? limit;
  return Math.min(limit, Math.max(leastIdleMilliseconds, firstTooMany));
};
