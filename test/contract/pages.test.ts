import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { problemRegistry } from "../../lib/platform/http/problem-registry.ts";

const root = new URL("../../", import.meta.url);
const longPage = 1_500;

const docs = await readdir(new URL("docs/", root), { recursive: true });
const names = [
  "README.md",
  "cli/README.md",
  "client/README.md",
  ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
];

/** The page without its code blocks, where a `#` starts a comment. */
const readProse = async (name: string): Promise<string> =>
  (await readFile(new URL(name, root), "utf8")).replaceAll(/^ *```.*?^ *```$/gms, "");

const headings = (prose: string, level: number): string[] =>
  prose.split("\n").filter((line) => line.startsWith(`${"#".repeat(level)} `));

/** The anchor of a heading, as GitHub derives it. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const listAnchors = (prose: string): string[] =>
  [1, 2, 3, 4].flatMap((level) => headings(prose, level)).map(toAnchor);

const pages = await Promise.all(names.map(async (name) => [name, await readProse(name)] as const));

test.each(pages)("%s has one top-level heading, its first line", (_, prose) => {
  expect(headings(prose, 1)).toEqual([prose.split("\n")[0]]);
});

test.each(pages)("%s has a table of contents if it is long", (_, prose) => {
  if (prose.split(/\s+/).length <= longPage) return;
  const beforeSections = prose.slice(0, prose.indexOf("\n## "));
  for (const section of headings(prose, 2)) {
    expect(beforeSections, section).toContain(`(#${toAnchor(section)})`);
  }
});

test.each(pages)("every link of %s to a section leads to a heading", async (name, prose) => {
  const broken: string[] = [];
  for (const [, page = "", anchor = ""] of prose.matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)) {
    const target = new URL(page === "" ? name : new URL(page, new URL(name, root)).href, root);
    if (!target.pathname.endsWith(".md")) continue;
    const text = page === "" ? prose : await readProse(target.pathname.slice(root.pathname.length));
    if (!listAnchors(text).includes(anchor)) broken.push(`${page}#${anchor}`);
  }
  expect(broken).toEqual([]);
});

test("keys of the table are in pages of docs/internals only", () => {
  const withKeys = pages.filter(([, prose]) => /`[A-Z]+#|#t#|TENANT#/.test(prose));
  expect(withKeys.map(([name]) => name).filter((name) => !name.includes("/internals/"))).toEqual(
    [],
  );
});

test("docs/conventions.md lists every problem type with its status", () => {
  const [, prose = ""] = pages.find(([name]) => name === "docs/conventions.md") ?? [];
  const listed = [...prose.matchAll(/^\| (\d{3}) +\| `([a-z-]+)` +\|/gm)];
  expect(listed.map(([, status, slug]) => [slug, Number(status)])).toEqual(
    Object.entries(problemRegistry).map(([slug, { status }]) => [slug, status]),
  );
});
