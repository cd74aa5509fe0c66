/**
 * A message's work is leased by another function, which may have died. The consumer defers the message until the lease
 * ends, which is no attempt.
 */
export class LeasedElsewhereError extends Error {
  override name = "LeasedElsewhereError";
  /** End of the lease, Unix milliseconds. */
  readonly until: number;
  constructor(until: number) {
    super("another function has leased the work");
    this.until = until;
  }
}
