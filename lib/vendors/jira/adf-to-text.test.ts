import fc from "fast-check";
import { expect, test } from "vitest";
import { adfToText as toText } from "./adf-to-text.ts";

const adfToText = (text: unknown) => toText(text, () => {});

const text = (value: string) => ({ type: "text", text: value });
const paragraph = (...content: unknown[]) => ({ type: "paragraph", content });
const item = (...content: unknown[]) => ({ type: "listItem", content });
const cell = (value: string) => ({ type: "tableCell", content: [paragraph(text(value))] });
const doc = (...content: unknown[]) => ({ type: "doc", version: 1, content });

test("reads the documented nodes as text", () => {
  const read = adfToText(
    doc(
      { type: "heading", attrs: { level: 1 }, content: [text("Title")] },
      paragraph(
        text("Hello "),
        { type: "text", text: "world", marks: [{ type: "strong" }] },
        { type: "hardBreak" },
        { type: "mention", attrs: { id: "1", text: "@Ada" } },
        text(" "),
        { type: "emoji", attrs: { shortName: ":grinning:", text: "😀" } },
        text(" due "),
        { type: "date", attrs: { timestamp: "1582152559000" } },
        text(" "),
        { type: "status", attrs: { text: "In Progress", color: "yellow" } },
        text(" see "),
        { type: "inlineCard", attrs: { url: "https://atlassian.com" } },
      ),
      {
        type: "bulletList",
        content: [
          item(paragraph(text("one"))),
          item(paragraph(text("two")), {
            type: "orderedList",
            attrs: { order: 3 },
            content: [item(paragraph(text("deep"))), item(paragraph(text("deeper")))],
          }),
        ],
      },
      { type: "codeBlock", attrs: { language: "js" }, content: [text("if (a)\n  b();")] },
      {
        type: "panel",
        attrs: { panelType: "info" },
        content: [paragraph(text("Mind this."))],
      },
      {
        type: "table",
        content: [
          { type: "tableRow", content: [cell("a"), cell("b")] },
          { type: "tableRow", content: [cell("1"), cell("2")] },
        ],
      },
      { type: "expand", attrs: { title: "More" }, content: [paragraph(text("Inside"))] },
      {
        type: "mediaSingle",
        content: [{ type: "media", attrs: { id: "x", type: "file", alt: "A diagram" } }],
      },
      {
        type: "taskList",
        content: [
          { type: "taskItem", attrs: { state: "DONE" }, content: [text("done")] },
          { type: "taskItem", attrs: { state: "TODO" }, content: [text("open")] },
        ],
      },
      { type: "inventedLater", content: [paragraph(text("still read"))] },
    ),
  );
  expect(read).toBe(
    [
      "Title",
      "Hello world\n@Ada 😀 due 2020-02-19 In Progress see https://atlassian.com",
      "- one\n- two\n  3. deep\n  4. deeper",
      "if (a)\n  b();",
      "Mind this.",
      "a | b\n1 | 2",
      "More",
      "Inside",
      "A diagram",
      "[x] done\n[ ] open",
      "still read",
    ].join("\n\n"),
  );
});

test("never fails for any JSON", () => {
  const type = fc.constantFrom(
    ..."doc text paragraph codeBlock bulletList orderedList listItem taskItem table tableRow tableCell date media mention expand hardBreak constructor".split(
      " ",
    ),
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      fc.record(
        {
          type,
          text: fc.oneof(fc.string(), fc.jsonValue()),
          attrs: fc.oneof(
            fc.record({ timestamp: fc.oneof(fc.double(), fc.string()), order: fc.double() }),
            fc.jsonValue(),
          ),
          content: fc.oneof(fc.array(tie("node")), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  fc.assert(
    fc.property(node, (value) => {
      expect(typeof adfToText(value)).toBe("string");
    }),
  );
});

test("reads a hundred thousand nested levels", { tags: "nightly" }, () => {
  const open = '{"type":"bulletList","content":[{"type":"listItem","content":[';
  const depth = 50_000;
  const nested: unknown = JSON.parse(
    `${open.repeat(depth)}{"type":"text","text":"bottom"}${"]}]}".repeat(depth)}`,
  );
  expect(adfToText(nested).trim()).toBe("- bottom");
});

test("a document is charged for every node and character before it is written", () => {
  let charged = 0;
  const refuse = (characters: number) => {
    charged += characters;
    if (charged > 1_000) throw new Error("over");
  };
  const paragraphs = Array.from({ length: 100_000 }, () => paragraph(text("word")));
  expect(() => toText(doc(...paragraphs), refuse)).toThrow("over");
  expect(charged).toBeLessThan(1_010);
});
