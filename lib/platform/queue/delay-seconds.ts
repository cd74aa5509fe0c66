/** Longest delay of a message that SQS accepts. */
export const maxDelaySeconds = 900;

/** Converts a delay in milliseconds to the `delaySeconds` of a message, at most 15 minutes; undefined for none. */
export const toDelaySeconds = (delayMs: number): number | undefined =>
  delayMs > 0 ? Math.min(maxDelaySeconds, Math.ceil(delayMs / 1_000)) : undefined;
