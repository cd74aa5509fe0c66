/** Maximum time that a caller waits before an execution continues in the background. */
export const maxWaitMs = 25_000;
/** Maximum time from the start, all runs together. */
export const maxExecutionMs = 15 * 60_000;
/** Interval of lease renewals, which also detect a cancel. */
export const renewalMs = 5_000;
/**
 * A run without renewal for this time counts as dead; detected within two minutes, since recovery runs every
 * minute.
 */
export const leaseMs = 40_000;
/** Time before the function's timeout at which a run is handed over. */
export const handOverMs = 20_000;
/** Number of claims after which an execution is abandoned. */
export const maxClaims = 10;

/**
 * Returns when an unclaimed message is sent again: after one minute, then two, four, eight, at most sixteen.
 */
export const resendAfterMs = (sends: number): number => 60_000 * 2 ** Math.min(sends - 1, 4);
