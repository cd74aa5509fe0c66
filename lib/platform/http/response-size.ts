/**
 * Maximum bytes of a response body. A function returns at most 6,291,556
 * (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html); headers and the rest of the record need some.
 */
export const maxResponseBytes = 6_000_000;

/** Returns the bytes of a value in a function's response: its JSON, as a string in JSON. */
export const responseBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
