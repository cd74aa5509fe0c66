import fc from "fast-check";
import { expect, test } from "vitest";
import { type MarkdownNode, parseMarkdown } from "../../console/src/shared/markdown-tree.ts";
import { propertyRuns } from "../harness/runs.ts";

const listElements = (nodes: readonly MarkdownNode[] = []): Exclude<MarkdownNode, string>[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...listElements(node.children)]));

const readText = (nodes: readonly MarkdownNode[] = []): string =>
  nodes.map((node) => (typeof node === "string" ? node : readText(node.children))).join("");

test("headings, lists, tables, code and links become elements; entities become characters", () => {
  const text = [
    "# Tea & more",
    "Two **kinds**:\n- *green*\n- `black`",
    "3. third\n4. fourth",
    "| a | b |\n| - | - |\n| 1 | x &lt; y &#x263A; |",
    "```js\n1 < 2 && <b>\n```",
    "[A shop](https://tea.example/?a=1&b=2) <mailto:ada@example.com>",
  ].join("\n\n");
  const nodes = parseMarkdown(text);
  const elements = listElements(nodes);
  expect(elements.map(({ tag }) => tag)).toEqual([
    ...["p", "p", "strong", "ul", "li", "em", "li", "code", "ol", "li", "li"],
    ...["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "pre", "code"],
    ...["p", "a", "a"],
  ]);
  expect(elements.flatMap(({ href = [] }) => href)).toEqual([
    "https://tea.example/?a=1&b=2",
    "mailto:ada@example.com",
  ]);
  expect(elements.find(({ tag }) => tag === "ol")?.start).toBe(3);
  for (const part of ["Tea & more", "x < y ☺", "1 < 2 && <b>"]) {
    expect(readText(nodes)).toContain(part);
  }
});

test.each([
  "<img src=x onerror=alert(1)>",
  "before <script>alert(1)</script> after",
  "<div>\n\n**x**\n\n</div>",
  "<!-- hidden -->",
])("the HTML %j is shown as text", (html) => {
  const nodes = parseMarkdown(html);
  expect(readText(nodes)).toContain(html.replaceAll("**", "").slice(0, 4));
  expect(listElements(nodes).every(({ tag }) => ["p", "strong"].includes(tag))).toBe(true);
});

test.each([
  "[x](javascript:alert(1))",
  "[x](java&#115;cript:alert(1))",
  "[x](data:text/html,x)",
  "[x](//evil.example)",
  "[x](/v1/tenants)",
  "![x](javascript:alert(1))",
])("the target of %j is no link", (text) => {
  expect(listElements(parseMarkdown(text)).map(({ tag }) => tag)).toEqual(["p"]);
});

test("an image is not loaded: it is a link to its address", () => {
  const [, link] = listElements(parseMarkdown("![A cat](https://evil.example/?secret)"));
  expect(link).toEqual({ tag: "a", href: "https://evil.example/?secret", children: ["A cat"] });
});

test("a text that nests deeper than is shown, or is too long, is shown as it is", () => {
  const deep = `${"> ".repeat(50)}end`;
  expect(listElements(parseMarkdown(deep)).length).toBeLessThan(13);
  expect(readText(parseMarkdown(deep))).toContain("end");
  expect(parseMarkdown("x".repeat(50_001))).toBeUndefined();
  parseMarkdown("> ".repeat(20_000));
});

const pieces = fc.constantFrom(
  ...[
    "<a href=x>",
    "<script>",
    "[",
    "](",
    "javascript:",
    "https://a.example",
    ")",
    "![",
    "`",
    "```\n",
  ],
  ...[
    "**",
    "_",
    "&#106;",
    "&amp;",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "|",
    "|-|-|\n",
    "# ",
    "\\",
    "text",
    "[^1]: ",
  ],
);

test("no text becomes another element, or a link that is not of the web", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const allowed = /^(https?:\/\/|mailto:)/i;
      for (const { tag, href } of listElements(parseMarkdown(parts.join("")))) {
        expect(tag === "a").toBe(href !== undefined);
        if (href !== undefined) expect(href).toMatch(allowed);
      }
    }),
    { numRuns: propertyRuns(2_000) },
  );
});
