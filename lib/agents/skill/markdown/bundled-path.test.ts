import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../../test/harness/runs.ts";
import { bundledPath } from "./bundled-path.ts";

test.each([
  ["scripts/run.py", "scripts/run.py"],
  ["./a/../b.md", "b.md"],
  ["a%20b.md#part?x", "a b.md"],
  ["a.md?raw=1#x", "a.md"],
  ["scripts\\run.py", "scripts/run.py"],
  ["100%.md", "100%.md"],
  ["a//b.md", "a/b.md"],
])("%s leads to the file %s", (href, path) => {
  expect(bundledPath(href)).toBe(path);
});

test.each([
  "https://example.com/a.md",
  "//example.com/a.md",
  "mailto:a@b.c",
  "javascript:alert(1)",
  "C:\\a.md",
  "#part",
  "?x",
  "",
  ".",
  "./",
  "folder/",
  "/etc/passwd",
  "../a.md",
  "a/../../b.md",
  "%2e%2e/a.md",
  "..\\a.md",
  "%2Fetc",
  "a%00.md",
  "%6Aavascript:x",
])("%j leads to no file in the folder", (href) => {
  expect(bundledPath(href)).toBeUndefined();
});

const parts = fc.constantFrom(
  "..",
  ".",
  "/",
  "\\",
  "%2e",
  "%2f",
  "%5c",
  "a",
  "b.md",
  ":",
  "%",
  " ",
);

test("no path leaves the folder", () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (segments) => {
      const path = bundledPath(segments.join(""));
      if (path === undefined) return;
      expect(path.split("/")).not.toContain("..");
      expect(path).not.toMatch(/^\/|\/$|\\/);
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
