/**
 * Bytes that may go into an answer. A function answers with at most 6,291,556
 * (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html); headers and the rest of the record need some.
 */
export const mostAnswerBytes = 6_000_000;

/** Bytes that a value takes in a function's answer: its JSON, which is a string in JSON there. */
export const answerBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
