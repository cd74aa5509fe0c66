import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../test/harness/runs.ts";
import { readMarkdownBody } from "./read-markdown-body.ts";

const megabyte = 1_000_000;
const repeat = (text: string): string => text.repeat(megabyte / text.length);

test("links are found wherever markdown allows them, but not in code", () => {
  const markdown = [
    "# Title with [a](a.md)",
    "Text ![Image](b.png) and [ref][one], [two], ~~[c](c.md)~~.",
    "- item\n  - [nested **bold**](<d e.md>)",
    "> quoted [q](q.md)",
    "| h |\n|---|\n| [t](t.md) |",
    "[![badge](badge.svg)](https://example.com)",
    "`[no](no.md)`\n\n    [no](no.md)\n\n```\n[no](no.md)\n```\n\n\\[no](no.md)",
    "[one]: one.md\n[two]: two.md\n[unused]: unused.md",
  ].join("\n\n");
  expect(readMarkdownBody(markdown).links).toEqual([
    { href: "a.md", text: "a" },
    { href: "b.png", text: "Image" },
    { href: "one.md", text: "ref" },
    { href: "two.md", text: "two" },
    { href: "c.md", text: "c" },
    { href: "d e.md", text: "nested bold" },
    { href: "q.md", text: "q" },
    { href: "t.md", text: "t" },
    { href: "https://example.com", text: "badge" },
    { href: "badge.svg", text: "badge" },
  ]);
});

test.each([
  ["a heading of the first level", "text\n\n## Two\n\n# One *and* `half`", "One and half"],
  ["an underlined one", "One\n===\n", "One"],
  ["none of a lower level", "## Two", undefined],
  ["none in code", "```\n# One\n```", undefined],
  ["none that is empty", "#\n\n# [](a.md)\n\n# One", "One"],
])("the title is %s", (_, markdown, title) => {
  expect(readMarkdownBody(markdown).title).toBe(title);
});

test.each([
  ["## Two\n\ntext", "Two"],
  ["<!-- a -->\n\n## Two", "Two"],
  ["text\n\n## Two", undefined],
])("%j begins with the heading %j", (markdown, heading) => {
  expect(readMarkdownBody(markdown).firstHeading).toBe(heading);
});

test.each([
  ["# One\n\n- list\n\nfirst\n**line**  \ntwo <br> x\n\nsecond", "first line two x"],
  ["<p>html</p>\n\n- list", undefined],
])("the first paragraph of %j is %j", (markdown, paragraph) => {
  expect(readMarkdownBody(markdown).firstParagraph).toBe(paragraph);
});

test("any text can be read", () => {
  const syntax = fc.constantFrom(..."[]()<>*_`~!#-+.:|\\&\n\t 0aé".split(""));
  fc.assert(
    fc.property(fc.array(syntax, { maxLength: 300 }), (characters) => {
      expect(readMarkdownBody(characters.join("")).links).toBeInstanceOf(Array);
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe("a megabyte", () => {
  const paragraph =
    "## Part\n\nSome *words* with [a link](a.md), `code` and more.\n\n- one\n- two\n  - three\n\n";

  test("of ordinary markdown is read completely", { tags: "nightly" }, () => {
    expect(readMarkdownBody(repeat(paragraph)).links).toHaveLength(
      Math.floor(megabyte / paragraph.length),
    );
  });
});
