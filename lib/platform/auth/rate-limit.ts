import { rateLimitExceeded } from "../http/problems.ts";
import type { RateLimit } from "../http/rate-limit.ts";

/** The current time (Unix milliseconds) and the length of rate-limit windows (milliseconds). */
export type Window = { now: number; windowMs: number };

/** Requests counted in the window, this one included, and the window's start in Unix milliseconds. */
export type Counted = { count: number; windowStart: number };

/** Returns the window of a caller of whom nothing was counted. */
export const uncounted = (limit: number, { now, windowMs }: Window): RateLimit => ({
  limit,
  remaining: limit,
  resetsAt: (Math.floor(now / windowMs) + 1) * windowMs,
  isExceeded: false,
});

/** Returns the window in which a request was counted. */
export const counted = (
  { count, windowStart }: Counted,
  limit: number,
  { windowMs }: Pick<Window, "windowMs">,
): RateLimit => ({
  limit,
  remaining: Math.max(0, limit - count),
  resetsAt: windowStart + windowMs,
  isExceeded: count > limit,
});

/** Throws 429 for a window that allows no more. */
export const requireWithinLimit = (rateLimit: RateLimit, now: number): void => {
  if (rateLimit.isExceeded) throw rateLimitExceeded(rateLimit, now);
};
