import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { makeSnippet, maxSnippet } from "./make-snippet.ts";

const filler = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

describe("a snippet", () => {
  test("shows the words of the query, wherever they are in the text", () => {
    const text = `${filler(200)}. The refund takes five days. ${filler(200)}`;
    const snippet = makeSnippet("How long does a REFUND take in days?", text);
    expect(snippet).toContain("The refund takes five days.");
    expect(snippet).toMatch(/^…\w.*\w…$/);
  });

  test("shows the place with the most different words of the query", () => {
    const text = `refund refund refund ${filler(100)} refund in days ${filler(100)}`;
    expect(makeSnippet("refund days", text)).toContain("refund in days");
  });

  test("is a short text itself, and the beginning of a text without a word of the query", () => {
    expect(makeSnippet("x", "A short text.")).toBe("A short text.");
    expect(makeSnippet("x", filler(200))).toMatch(/^word0 word1 .*\w…$/);
    expect(makeSnippet("end", `${filler(200)} the end`)).toMatch(/^….* the end$/);
  });

  test("is a part of the text within its length, and splits no pair of surrogates", () => {
    const piece = fc.constantFrom("😀", "a", "refund", " ", "\n", "é", ".", "𝒳", "x".repeat(70));
    const text = fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.constantFrom("refund", "𝒳 a", "none", ""), (whole, query) => {
        const snippet = makeSnippet(query, whole);
        expect(snippet.isWellFormed()).toBe(true);
        expect(snippet.length).toBeLessThanOrEqual(maxSnippet);
        expect(whole).toContain(snippet.replaceAll("…", ""));
        if (query === "refund" && /(?:^|\s)refund(?:\s|$)/.test(whole))
          expect(snippet).toContain("refund");
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test.each([
    ["matches", "refund ".repeat(300_000)],
    ["one word", "x".repeat(2_000_000)],
    ["spaces", " ".repeat(2_000_000)],
  ])("takes time linear in the text's length: %s", { tags: "nightly" }, (_name, text) => {
    expect(makeSnippet("refund days", text).length).toBeLessThanOrEqual(maxSnippet);
  });
});
