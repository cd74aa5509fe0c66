/** Longest that a caller waits for an execution before it goes on in the background. */
export const longestWaitMs = 25_000;
/** From when it is begun, all its runs together. */
export const longestExecutionMs = 15 * 60_000;
/** A run renews its lease so often, and hears then of a cancel. */
export const renewalMs = 5_000;
/** A run that was silent for so long is taken for dead: within two minutes, the minute between two looks included. */
export const leaseMs = 40_000;
/** Before a function is cut off, its run is handed over. */
export const handOverMs = 20_000;
/** A worker that took an execution up so often and never ended it will not end it. */
export const mostClaims = 10;

/** When a message that nobody took up is sent again: after one minute, then two, four, at most sixteen. */
export const resendAfterMs = (sends: number): number => 60_000 * 2 ** Math.min(sends - 1, 4);
