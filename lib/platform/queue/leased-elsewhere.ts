/**
 * A message's work is leased by another function, which may have crashed. The consumer defers the
 * message until the lease ends, which does not count as an attempt.
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
