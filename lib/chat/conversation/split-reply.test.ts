import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitReply, splitWithin } from "./split-reply.ts";

test("every part is within the limit, and together they contain the whole text except white space", () => {
  void fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 2, max: 50 }),
      (text, longest) => {
        const parts = splitReply(text, { longest });
        expect(parts.every((part) => part.length <= longest && part.trim() !== "")).toBe(true);
        const stripWhitespace = (value: string) => value.replaceAll(/\s/g, "");
        expect(stripWhitespace(parts.join(""))).toBe(stripWhitespace(text));
        expect(parts.every((part) => part.isWellFormed())).toBe(text.isWellFormed());
      },
    ),
  );
});

test("every part is within a limit that counts bytes", () => {
  void fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 4, max: 50 }),
      (text, longest) => {
        const parts = splitReply(text, { longest, weigh: Buffer.byteLength });
        expect(parts.every((part) => Buffer.byteLength(part) <= longest)).toBe(true);
      },
    ),
  );
});

test("a text is split after a line, otherwise after a word", () => {
  expect(splitReply("one two\nthree four", { longest: 12 })).toEqual(["one two", "three four"]);
  expect(splitReply("one two three four", { longest: 9 })).toEqual(["one two", "three", "four"]);
  expect(splitReply("short", { longest: 9 })).toEqual(["short"]);
  expect(splitReply("", { longest: 9 })).toEqual([]);
});

test("the last of too many parts ends with the truncation mark, within the limit", () => {
  const parts = splitWithin("word ".repeat(1_000), { longest: 100 }, 5);
  expect(parts).toHaveLength(5);
  expect(parts.every((part) => part.length <= 100)).toBe(true);
  expect(parts[4]).toMatch(/^word .*word\n\[This reply was truncated/s);
  expect(splitWithin("one two three", { longest: 5 }, 3)).toEqual(["one", "two", "three"]);
});

test("every character of a megabyte is measured at most twice", () => {
  const text = "x".repeat(1_048_576);
  let weighed = 0;
  const weigh = () => {
    weighed += 1;
    return 1;
  };
  expect(splitWithin(text, { longest: 2_000, weigh }, 20)).toHaveLength(20);
  expect(weighed).toBeLessThan(2 * text.length);
});
