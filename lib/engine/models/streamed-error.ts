/** An error that a stream contains. What it says is untrusted, and never shown. */
export class StreamedError extends Error {
  override readonly name = "StreamedError";
  readonly value: unknown;

  constructor(value: unknown) {
    super("the stream contains an error", { cause: value });
    this.value = value;
  }
}
