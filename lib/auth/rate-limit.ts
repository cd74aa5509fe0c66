/** What is left of a caller's window; the three rate-limit headers say it. Times in Unix milliseconds. */
export type RateLimit = { limit: number; remaining: number; resetsAt: number };

/** A moment, and the length of the window in which requests are counted, both in milliseconds. */
export type Window = { now: number; windowMs: number };

/** The window of a caller of whom nothing was counted. */
export const uncounted = (limit: number, { now, windowMs }: Window): RateLimit => ({
  limit,
  remaining: limit,
  resetsAt: (Math.floor(now / windowMs) + 1) * windowMs,
});
