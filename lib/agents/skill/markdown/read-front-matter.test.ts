import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../test/harness/runs.ts";
import { FrontMatterError } from "./front-matter-error.ts";
import { type FrontMatter, readFrontMatter } from "./read-front-matter.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

type Read = Partial<FrontMatter> & { warnings: string[]; body: string };

const read = (content: string): Read => {
  const { frontMatter, body } = splitFrontMatter(content);
  const warnings: string[] = [];
  const found = frontMatter && readFrontMatter(frontMatter, (warning) => warnings.push(warning));
  return { ...found, warnings, body };
};

const catchFrontMatterError = (content: string): FrontMatterError => {
  try {
    read(content);
  } catch (error) {
    if (error instanceof FrontMatterError) return error;
    throw error;
  }
  throw new Error("it was read");
};

const wrapped = (yaml: string): string => `---\n${yaml}\n---\nText`;

test("a line of half a million spaces is read once", () => {
  const content = `---\na${" ".repeat(500_000)}x`;
  expect(splitFrontMatter(content)).toEqual({ frontMatter: undefined, body: content });
});

test("the members of the format are read", () => {
  const yaml =
    "name: pdf\ndescription: >-\n  What\n  it does\nlicense: MIT\ncompatibility: Needs git\nmetadata:\n  a: '1'\nallowed-tools: Bash(git:*) Read";
  expect(read(wrapped(yaml))).toEqual({
    name: "pdf",
    title: undefined,
    description: "What it does",
    allowedTools: ["Bash(git:*) Read"],
    metadata: new Map([["a", "1"]]),
    others: ["license", "compatibility"],
    warnings: [],
    body: "Text",
  });
});

test.each([
  ["a number as it is written", "name: 1.10", { name: "1.10" }],
  ["a flag as it is written", "name: Yes\ndescription: true", { name: "Yes", description: "true" }],
  ["nothing for null", "name:\ndescription: ~", { name: undefined, description: undefined }],
  ["nothing for an empty text", 'name: "  "', { name: undefined }],
  ["the last of the same keys", "name: a\nname: b", { name: "b" }],
  ["what an alias stands for", "metadata: {a: &x abc}\nname: *x", { name: "abc" }],
  ["a list of tools", "allowed-tools:\n  - a/b\n  - c/d", { allowedTools: ["a/b", "c/d"] }],
  ["another spelling", "allowed_tools: a/b", { allowedTools: ["a/b"] }],
  ["keys that are no plain words", "__proto__: {a: 1}\nname: a", { name: "a" }],
])("%s", (_, yaml, expected) => {
  expect(read(wrapped(yaml))).toMatchObject({ ...expected, warnings: [] });
});

describe("common mistakes are corrected", () => {
  test.each([
    ["a colon", "description: Use when: asked", "Use when: asked"],
    ["a colon at the end", "description: Use when:", "Use when:"],
    [
      "a colon in a second line",
      "description: Use it\n  when you like: now",
      "Use it when you like: now",
    ],
    ["quotes and colons", 'description: Say "a": b \\ c', 'Say "a": b \\ c'],
    ["a mention", "description: @all of you", "@all of you"],
    ["emphasis", "description: **Use** it: always", "**Use** it: always"],
  ])("%s without quotes", (_, yaml, description) => {
    const { warnings, ...found } = read(wrapped(`name: a\n${yaml}\nlicense: MIT`));
    expect(found).toMatchObject({ name: "a", description });
    expect(warnings).toHaveLength(1);
  });

  test("a byte order mark, CRLF, spaces, blank lines and dots", () => {
    const found = read("\uFEFF\r\n \r\n---  \r\nname: a\r\n...\r\n\r\nText\r\n");
    expect(found).toMatchObject({ name: "a", warnings: [], body: "\nText\n" });
  });

  test.each([
    ["---\nname: a\n\n# T", "\n# T"],
    ["---\nname: a\n# T", "# T"],
    ["---\n\nname: a\n\nT", "\nT"],
    ["---\nname: a", ""],
  ])("a closing line that is missing: %j", (content, body) => {
    expect(read(content)).toMatchObject({ name: "a", body, warnings: [expect.any(String)] });
  });

  test("a member that is not a string", () => {
    const { description, warnings } = read(wrapped("description: {{ summary }}"));
    expect(description).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});

test.each([
  "",
  "Text",
  "# T\n\n---\na: b\n---",
  "---",
  "---\n\nText\n\n---\n",
  "---\nText",
  "----\na: b",
])("%j has no front matter", (content) => {
  expect(splitFrontMatter(content)).toEqual({ frontMatter: undefined, body: content });
});

describe("broken front matter", () => {
  test.each([
    ["a bracket that is not closed", "---\nname: a\ntools: [b\n---\n", 3],
    ["a quote that is not closed", '---\nname: a\ndescription: "b\n---\n', 3],
    ["a tab", "---\nname: a\nmetadata:\n\tb: c\n---\n", 4],
    ["a key that is indented by mistake", "---\nname: a\n  description: b\n---\n", 2],
    ["a line without a key", "---\nname: a\nnonsense\nlicense: b\n---\n", 3],
    ["a list", "\n\n---\n- a\n---\n", 4],
    ["a text", "---\njust words\n---\n", 2],
    ["two documents", "---\nname: a\n--- b\nname: c\n---\n", 3],
    ["too much of it", `---\nname: a\ndescription: ${"x".repeat(16_384)}\n---\n`, 2],
    ["brackets in brackets", `---\nname: a\nb: ${"[".repeat(10_000)}\n---\n`, 3],
  ])("%s is refused with its line", (_, content, line) => {
    expect(catchFrontMatterError(content)).toMatchObject({ line });
  });

  test("expansion of aliases is refused with the line of the first alias beyond the limit", () => {
    const levels = "abcdefgh".split("");
    const bomb = levels.map((name, at) =>
      at === 0 ? "a: &a [x, x]" : `${name}: &${name} [${`*${levels[at - 1]}, `.repeat(9)}]`,
    );
    expect(catchFrontMatterError(wrapped(bomb.join("\n")))).toMatchObject({ line: 4 });
  });
});

describe("any text", () => {
  const syntax = fc.constantFrom(
    ...["---", "\n", " ", ":", ": ", "- ", "name", "description", "allowed-tools", "a", "[", "]"],
    ...["{", "}", "*a", "&a ", "!", "|", ">", '"', "'", "#", "%", "@", "\t", "?", ",", "...", "\r"],
  );

  test("is parsed, or refused with one of its lines", () => {
    fc.assert(
      fc.property(fc.array(syntax, { maxLength: 60 }), (parts) => {
        const content = `---\n${parts.join("")}`;
        try {
          read(content);
        } catch (error) {
          if (!(error instanceof FrontMatterError)) throw error;
          expect(error.line).toBeGreaterThan(0);
          expect(error.line).toBeLessThanOrEqual(content.split(/\r\n?|\n/).length + 1);
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test("that YAML can contain is returned unchanged, in quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        fc.pre(text.trim() !== "");
        const { description } = read(wrapped(`description: ${JSON.stringify(text)}`));
        expect(description).toBe(text.trim());
      }),
    );
  });
});
