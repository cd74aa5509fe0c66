import { access, readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

const pages = [
  "README.md",
  ...(await readdir(new URL("docs/", root), { recursive: true }))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

test.each(pages)("every relative link of %s leads to a file", async (page) => {
  const base = new URL(page, root);
  const text = await readFile(base, "utf8");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken: string[] = [];
  for (const link of links.filter((link) => !/^([a-z]+:|#)/.test(link))) {
    await access(new URL(link, base)).catch(() => broken.push(link));
  }
  expect(broken).toEqual([]);
});
