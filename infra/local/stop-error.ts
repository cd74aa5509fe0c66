/** The stack cannot start or continue; the one-line message says what to do. */
export class StopError extends Error {
  override name = "StopError";
}
