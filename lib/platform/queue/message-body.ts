/**
 * Formats a message as JSON that SQS accepts: SQS refuses U+FFFE and U+FFFF, which JSON may contain as they are.
 * Source: SendMessage in the SQS API reference.
 */
export const messageBody = (message: unknown): string =>
  JSON.stringify(message).replaceAll(
    /[\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
