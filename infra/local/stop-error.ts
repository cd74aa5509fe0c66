/** The stack cannot start or continue; the one-line message names the remedy. */
export class StopError extends Error {
  override name = "StopError";
}
