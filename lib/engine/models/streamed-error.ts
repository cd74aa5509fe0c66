/** An error that a stream contains. What it says is untrusted, and never shown. */
export class StreamedError extends Error {
  override readonly name = "StreamedError";
  readonly told: unknown;

  constructor(told: unknown) {
    super("the stream contains an error", { cause: told });
    this.told = told;
  }
}
