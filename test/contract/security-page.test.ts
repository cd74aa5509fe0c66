import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/security.md", root), "utf8");

/** Each promise with its mechanism, the file of its test and the titles of its tests. */
const promises = [
  ...page.matchAll(/^\| (?<promise>[^|*]+) \| `[^`]+` \| `(?<file>[^`]+)`: (?<titles>".+") \|$/gm),
].map(({ groups = {} }) => ({
  promise: groups.promise ?? "",
  file: groups.file ?? "",
  titles: (groups.titles ?? "").slice(1, -1).split('"; "'),
}));

test("every row of the table of promises names a mechanism and a test", () => {
  const [, section = ""] = page.split("## Promises and their tests");
  const [table = ""] = section.split("\n## ");
  const rows = table.split("\n").filter((line) => /^\| (?!Promise |-|\*)/.test(line));
  expect(rows.map((row) => row.split(" | ")[0]?.slice(2))).toEqual(
    promises.map(({ promise }) => promise),
  );
  expect(rows.length).toBeGreaterThan(20);
});

test.each(promises)("$promise: the test exists by file and title", ({ file, titles }) => {
  const text = readFileSync(new URL(file, root), "utf8");
  for (const title of titles) expect(text).toContain(`"${title}"`);
});

test.each(promises)("$promise: its tests are in `npm test`", ({ file, titles }) => {
  const text = readFileSync(new URL(file, root), "utf8");
  expect(file).not.toMatch(/^test\/faults\//);
  for (const title of titles) {
    const [, options = ""] = text.split(`"${title}"`);
    const [beforeCode = ""] = options.split("=>");
    expect(beforeCode, title).not.toContain("nightly");
  }
});

test("every file that docs/security.md names exists", () => {
  const files = [...page.matchAll(/`((?:lib|infra|test|functions)\/[^`]+)`/g)].map(
    ([, file = ""]) => file,
  );
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});
