import { afterEach, expect, test, vi } from "vitest";
import { createUniqueNames } from "./unique-names.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("names are numbered from the second of their kind, within their length", () => {
  const unique = createUniqueNames(6);
  const wanted = ["a", "a", "a_2", "a", "abcdefgh", "abcdef", "abcdez"];
  expect(wanted.map(unique)).toEqual(["a", "a_2", "a_2_2", "a_3", "abcdef", "abcd_2", "abcdez"]);
  expect(Array.from({ length: 10 }, () => unique("abcdef")).slice(-3)).toEqual([
    "abc_10",
    "abc_11",
    "abc_12",
  ]);
});

test.each([
  ["of one name", () => "tool"],
  ["that differ behind their longest stem", (at: number) => "x".repeat(60) + (1_000 + (at >> 1))],
  ["that look like numbered ones", (at: number) => (at < 10_000 ? `tool_${at}` : "tool")],
])(
  "20,000 names %s take a constant number of look-ups per name",
  { tags: "nightly" },
  (_, nameAt) => {
    const looked = vi.spyOn(Set.prototype, "has");
    const unique = createUniqueNames(64);
    const names = Array.from({ length: 20_000 }, (_, at) => unique(nameAt(at)));
    const count = looked.mock.calls.length;
    vi.restoreAllMocks();
    expect(new Set(names).size).toBe(20_000);
    expect(count).toBeLessThan(20_000 * 4);
  },
);
