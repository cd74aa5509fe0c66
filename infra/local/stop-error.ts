/** The stack cannot start or go on; the message is one line that says what to do. */
export class StopError extends Error {
  override name = "StopError";
}
