import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../test/harness/runs.ts";
import { maxFormMembers, parseForm } from "./parse-form.ts";

/** A text that counts the characters that are searched or copied. */
const countedText = (text: string) => {
  const work = { characters: 0 };
  return {
    work,
    text: {
      length: text.length,
      indexOf: (searched: string, from = 0) => {
        const found = text.indexOf(searched, from);
        work.characters += (found === -1 ? text.length : found + 1) - from;
        return found;
      },
      slice: (start = 0, end = text.length) => {
        work.characters += end - start;
        return text.slice(start, end);
      },
    },
  };
};

describe("a form", () => {
  test("is parsed as URLSearchParams parses it", () => {
    const escapes = ["%41", "%c3%A9", "%F0%9F%98%80", "%EF%BB%BF", "%ff", "%C3", "%2", "%zz"];
    const ascii = fc.constantFrom(..."aZ&&==%+ 0C3cAe9fF;#", ...escapes);
    // Node's own mangles characters beyond ASCII next to broken escapes, which the standard does not.
    const unicode = fc.string({ unit: "grapheme" }).filter((form) => !form.includes("%"));
    const text = fc.oneof(fc.string({ unit: ascii, maxLength: 40 }), unicode);
    fc.assert(
      fc.property(text, (form) => {
        // A leading "?" is part of the form, but URLSearchParams drops it.
        const expected = [...new URLSearchParams(form.startsWith("?") ? `?${form}` : form)];
        expect(parseForm(form)).toEqual(expected);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test.each(["a&", "a=b&", "&", "=", "a", "%41&", "%", "+&="])(
    "of repeated %j is parsed in linear time",
    (part) => {
      const countWork = (count: number) => {
        const { text, work } = countedText(part.repeat(count));
        parseForm(text, Number.POSITIVE_INFINITY);
        return work.characters;
      };
      expect(countWork(1_000)).toBeLessThanOrEqual(2 * part.length * 1_000);
      expect(countWork(10_000)).toBeLessThanOrEqual(2 * part.length * 10_000);
    },
  );

  test("is not parsed beyond its largest number of members", () => {
    expect(parseForm("a&".repeat(maxFormMembers))).toHaveLength(maxFormMembers);
    expect(parseForm("a&".repeat(maxFormMembers + 1))).toBeUndefined();
    const { text, work } = countedText("a&".repeat(1_000_000));
    parseForm(text);
    expect(work.characters).toBeLessThan(4 * maxFormMembers);
  });
});
