import fc from "fast-check";
import { expect, test } from "vitest";
import { storageToText as toText } from "./storage-to-text.ts";

const storageToText = (text: string) => toText(text, () => {});

test.each([
  [
    "<p>Hello&nbsp;<strong>world</strong> &rsquo;quoted&rsquo;</p><h2>Two</h2>",
    "Hello world ’quoted’\n\nTwo",
  ],
  [
    '<ac:structured-macro ac:name="code" ac:schema-version="1"><ac:parameter ac:name="language">xml</ac:parameter><ac:plain-text-body><![CDATA[<a href="x">\n  &amp; b\n</a>]]></ac:plain-text-body></ac:structured-macro><p>after</p>',
    '<a href="x">\n  &amp; b\n</a>\n\nafter',
  ],
  [
    '<p>See <ac:link><ri:page ri:content-title="Page Title" /></ac:link>, <ac:link><ri:page ri:content-title="Page Title" /><ac:plain-text-link-body><![CDATA[its text]]></ac:plain-text-link-body></ac:link> and <ac:link><ri:attachment ri:filename="plan.pdf" /></ac:link>.</p>',
    "See Page Title, its text and plan.pdf.",
  ],
  [
    '<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">Note</ac:parameter><ac:parameter ac:name="icon">false</ac:parameter><ac:rich-text-body><p>Body</p></ac:rich-text-body></ac:structured-macro>',
    "Note\n\nBody",
  ],
  [
    '<p>Is <ac:structured-macro ac:name="status"><ac:parameter ac:name="colour">Green</ac:parameter><ac:parameter ac:name="title">DONE</ac:parameter></ac:structured-macro> since <time datetime="2026-01-31" /></p>',
    "Is DONE since 2026-01-31",
  ],
  [
    "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body>task list item</ac:task-body></ac:task></ac:task-list>",
    "- task list item",
  ],
  [
    '<ac:image ac:alt="A chart"><ri:attachment ri:filename="chart.png" /></ac:image><ac:structured-macro ac:name="toc" /><p>end</p>',
    "A chart\n\nend",
  ],
  [
    "<table><tbody><tr><th><p>a</p></th><th><p>b</p></th></tr><tr><td><p>1</p></td><td><p>2</p></td></tr></tbody></table>",
    "a | b\n1 | 2",
  ],
])("reads %s as a reader would", (storage, text) => {
  expect(storageToText(storage)).toBe(text);
});

test("never fails for any input", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "<ac:link>",
      "</ac:link>",
      '<ri:page ri:content-title="x"/>',
      "<ac:plain-text-body>",
      "</ac:plain-text-body>",
      "<![CDATA[",
      "]]>",
      '<ac:structured-macro ac:name="code">',
      "</ac:structured-macro>",
      '<ac:parameter ac:name="title">',
      "</ac:parameter>",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(typeof storageToText(pieces.join(""))).toBe("string");
    }),
  );
});
