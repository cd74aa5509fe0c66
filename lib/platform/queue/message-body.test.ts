import fc from "fast-check";
import { expect, test } from "vitest";
import { messageBody } from "./message-body.ts";

test("a message with any text has only characters that SQS accepts, and is read as it was", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("\uFFFE", "\uFFFF", "\uD800", "\u0000", "\\", "a") }),
  );
  fc.assert(
    fc.property(text, (written) => {
      const body = messageBody({ written });
      expect(body).toMatch(/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u);
      expect(JSON.parse(body)).toEqual({ written });
    }),
  );
});
