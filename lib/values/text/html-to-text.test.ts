import fc from "fast-check";
import { expect, test } from "vitest";
import { streamHtmlText, htmlToText as toText } from "./html-to-text.ts";

const htmlToText = (text: string) => toText(text, () => {});

test.each([
  ["<p>One</p><p>Two</p>", "One\n\nTwo"],
  ["a<br>b<br/>c", "a\nb\nc"],
  ["  white \n\t space&nbsp; collapses ", "white space collapses"],
  ["caf&eacute; &amp; &#8364; &lt;b&gt;", "café & € <b>"],
  ["<b>bo</b>ld and <i>italic</i>", "bold and italic"],
  ["<ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul>", "- one\n- two\n  - deep"],
  ["<ol start=3><li>c<li>d</ol>", "3. c\n4. d"],
  [
    "<p>Steps</p><ol><li><p>a</p></li><li><p>b</p></li></ol><p>End</p>",
    "Steps\n\n1. a\n2. b\n\nEnd",
  ],
  [
    "<table><tr><th>a</th><th>b</th></tr><tr><td><p>1</p></td><td></td><td>3</td></tr></table>",
    "a | b\n1 |  | 3",
  ],
  ["<pre>\n  if (a)\n    b;\n\n  c;\n</pre>after", "  if (a)\n    b;\n\n  c;\n\nafter"],
  ["<script>alert('<p>no</p>')</script><style>p{}</style><title>t</title>shown", "shown"],
  ["<div hidden>no<p>no</p></div><p style='display: none'>no</p>yes", "yes"],
  ["<img src=x alt='A picture'> text <img src=y>", "A picture text"],
  ["<div>a</div><div>b</div>", "a\nb"],
  ["soft&shy;hyphen zero&#8203;width", "softhyphen zerowidth"],
  ["<template>no</template><textarea>typed</textarea>", "typed"],
  ["<constructor>x</constructor><toString>y</toString>", "xy"],
])("reads %s as a reader would", (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test("never fails for any input", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            ..."<p> <b> </b> <ul> <li> </ul> <td> </td> <tr> <pre> </pre> <!-- <![CDATA[ ]]> <script> </script> < & &amp; <br/> </p> <svg> <div hidden> </div>".split(
              " ",
            ),
          ),
        ),
      ),
      (pieces) => {
        expect(typeof htmlToText(pieces.join(""))).toBe("string");
      },
    ),
  );
});

test("extracts the same text in pieces as in one read", async () => {
  const html =
    "<p>caf&eacute; one</p><ul><li>a</li><li>b</li></ul><pre> x\n y</pre><p>end</p>".repeat(50);
  async function* pieces() {
    for (const character of html) yield character;
  }
  let text = "";
  for await (const piece of streamHtmlText(pieces(), () => {})) text += piece;
  expect(text).toBe(htmlToText(html));
});

test.each(["<b>", "<ul><li>", "<div><table><tr><td>", "<svg>", "<form><p>"])(
  "is linear in the length when %s is nested without end",
  { tags: "nightly", timeout: 60_000 },
  (open) => {
    const html = `${`${open}x`.repeat(100_000)}${"</i>".repeat(100_000)}`;
    // 100,000 levels: a quadratic reader would outlast the timeout by minutes.
    const text = htmlToText(html);
    expect(text.length).toBeLessThan(20 * html.length);
  },
);

test("continues reading after too deeply nested elements", () => {
  expect(htmlToText(`${"<div>".repeat(1_000)}deep${"</div>".repeat(1_000)}<p>after</p>`)).toBe(
    "deep\n\nafter",
  );
});

test.each([
  ["text without tags", "a ".repeat(500_000)],
  ["tags", "<p>a</p>".repeat(125_000)],
  ["one attribute", `<p title="${"a".repeat(1_000_000)}">`],
])(
  "a megabyte of %s is charged whole, in pieces of at most 32 KiB before they are read",
  { tags: "nightly" },
  (_, html) => {
    const charged: number[] = [];
    toText(html, (characters) => charged.push(characters));
    expect(Math.max(...charged)).toBeLessThanOrEqual(32 * 1024);
    expect(charged.reduce((sum, characters) => sum + characters)).toBe(html.length);
  },
);

test("reading ends at the first refused charge", () => {
  let pieces = 0;
  const refuse = () => {
    pieces += 1;
    if (pieces === 3) throw new Error("over");
  };
  expect(() => toText("<p>a</p>".repeat(1_000_000), refuse)).toThrow("over");
  expect(pieces).toBe(3);
});

test("a tag of 300,000 attributes ends at 256, and the text behind it is read", {
  tags: "nightly",
}, () => {
  const names = Array.from({ length: 300_000 }, (_, at) => `a${at}`);
  const text = htmlToText(`<p ${names.join(" ")}>hidden</p><p>after</p>`);
  expect(text).not.toMatch(/\ba25\b/);
  expect(text).toMatch(/after$/);
});
