import fc from "fast-check";
import { expect, test } from "vitest";
import { compareWords, type DiffPart } from "../../console/src/shared/compare-words.ts";

const join = (parts: readonly DiffPart[], without: DiffPart["type"]): string =>
  parts.flatMap(({ type, text }) => (type === without ? [] : text)).join("");

test("texts are compared by words, not by lines or letters", () => {
  expect(compareWords("The desk is late.", "The lamp is late!")).toEqual([
    { type: "same", text: "The " },
    { type: "removed", text: "desk" },
    { type: "added", text: "lamp" },
    { type: "same", text: " is late" },
    { type: "removed", text: "." },
    { type: "added", text: "!" },
  ]);
});

test("the parts of a comparison are both texts, with every sign and space", () => {
  const word = fc.constantFrom("a", "bc", " ", "\n", ".", "é", "🙂", "\r\n");
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareWords(before, after);
      expect(join(parts, "added")).toBe(before);
      expect(join(parts, "removed")).toBe(after);
      expect(parts.every(({ type }, at) => type !== parts[at - 1]?.type)).toBe(true);
    }),
  );
});
