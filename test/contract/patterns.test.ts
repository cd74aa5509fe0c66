import { expect, test } from "vitest";
import { checkPatterns } from "../../infra/patterns/check-patterns.ts";
import { findPatterns } from "../../infra/patterns/find-patterns.ts";

const findProblems = (source: string): Promise<string[]> =>
  checkPatterns(findPatterns("a.ts", source), []);

test.each([
  ["exponential", "export const a = (text: string) => /(a+)+$/.test(text);"],
  ["quadratic", 'export const a = (text: string) => text.replace(/\\/+$/, "");'],
  ["quadratic behind a lookahead", "export const a = /(?!x)[a-z ]+$/;"],
  ["quadratic in a constructor", 'export const a = new RegExp("x+$", "g");'],
  ["quadratic in a string that is matched", 'export const a = "b".match(" +$");'],
  ["quadratic in a JSON Schema", 'export const a = { type: "string", pattern: " +$" };'],
])("refuses a pattern with %s time in the length of the text", async (_, source) => {
  expect(await findProblems(source)).toEqual([expect.stringMatching(/^a\.ts:1: .* is not linear/)]);
});

test("accepts a linear pattern, and text in comments and strings that looks like a pattern", async () => {
  const source = 'const a = /^[a-z]{1,9}$/u; // /(a+)+$/\nconst b = "/(a+)+$/";';
  expect(await findProblems(source)).toEqual([]);
});

test("refuses a pattern built from a value, unless its bound is listed", async () => {
  const found = findPatterns("a.ts", "export const a = (b: string) => new RegExp(b);");
  expect(await checkPatterns(found, [])).toEqual([expect.stringContaining("must be listed")]);
  expect(await checkPatterns(found, [{ file: "a.ts", bound: "9 characters" }])).toEqual([]);
});

test("refuses an exception for a pattern that no longer exists", async () => {
  const exceptions = [{ file: "a.ts", pattern: "b+$", bound: "9 characters" }];
  expect(await checkPatterns([], exceptions)).toEqual([expect.stringContaining("b+$")]);
});
