/** What was thrown, as an Error that a log can show. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error("something that is no Error was thrown");
