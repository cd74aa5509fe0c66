import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test("every part is within the limit, and together they say all that was said", () => {
  void fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 2, max: 50 }),
      (text, longest) => {
        const parts = splitText(text, longest);
        expect(parts.every((part) => part.length <= longest && part.trim() !== "")).toBe(true);
        const said = (value: string) => value.replaceAll(/\s/g, "");
        expect(said(parts.join(""))).toBe(said(text));
        expect(parts.every((part) => part.isWellFormed())).toBe(text.isWellFormed());
      },
    ),
  );
});

test("a text is cut after a line, else after a word", () => {
  expect(splitText("one two\nthree four", 12)).toEqual(["one two", "three four"]);
  expect(splitText("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(splitText("short", 9)).toEqual(["short"]);
  expect(splitText("", 9)).toEqual([]);
});
