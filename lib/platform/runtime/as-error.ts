/** Converts a thrown value to an Error for the log. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error("a value that is not an Error was thrown");
