import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { Problem } from "../../platform/http/problems.ts";
import { bounds } from "./bounds.ts";
import { draftSkill, MarkdownRefused } from "./draft-skill.ts";
import { generateSkill } from "./generate-skill.ts";
import { CreateSkillBody, SkillDraft } from "./schemas.ts";

const generate = (markdownContent: string, fileName = "SKILL.md") =>
  draftSkill({ markdownContent, fileName });

const catchGenerateProblem = async (
  markdownContent: string,
  processor = testProcessor(60_000),
): Promise<Problem> => {
  const body = { markdownContent, fileName: "SKILL.md" };
  const failure = await generateSkill(body, processor).catch((error) => error);
  if (failure instanceof Problem) return failure;
  throw new Error("it was not refused", { cause: failure });
};

test("a file in the Agent Skills format becomes a draft", () => {
  const content = [
    "---",
    "name: pdf-forms",
    "description: Fills forms. Use it for PDFs.",
    "license: MIT",
    "allowed-tools: system/http_get calculate",
    "---",
    "",
    "# PDF forms",
    "",
    "See [the reference](references/REFERENCE.md) and [it again](./references/REFERENCE.md#two).",
    "",
  ].join("\n");
  expect(generate(content, "pdf-forms/SKILL.md")).toEqual({
    id: "pdf-forms",
    displayName: "PDF forms",
    description: "Fills forms. Use it for PDFs.",
    instructions: content.split("---\n\n")[1]?.trimEnd(),
    tools: [
      { integrationId: "system", id: "http_get" },
      { integrationId: "system", id: "calculate" },
    ],
    resources: [
      { assetId: "references/REFERENCE.md", description: "the reference", vectorized: false },
    ],
    warnings: ["Ignored, because a skill has no such members: license"],
  });
});

test("a draft has the members that metadata states", () => {
  const resources = [{ assetId: "fields", description: "Fields", vectorized: true }];
  const lines = [
    "---",
    "name: pdf-forms",
    "description: Fills forms.",
    "allowed-tools: [calculate]",
    "metadata:",
    "  display-name: Forms in PDF",
    `  resources: '${JSON.stringify(resources)}'`,
    '  tools: "[]"',
    "---",
    "# PDF forms",
  ];
  expect(generate(lines.join("\n"), "pdf-forms/SKILL.md")).toEqual({
    id: "pdf-forms",
    displayName: "Forms in PDF",
    description: "Fills forms.",
    instructions: "# PDF forms",
    tools: [],
    resources,
  });
});

test("plain markdown becomes a draft: its title, its first paragraph, all of it", () => {
  expect(generate("# Refunds & returns\n\nHow *we* do it.\n\nMore.\n", "docs/Refunds.md")).toEqual({
    id: "refunds",
    displayName: "Refunds & returns",
    description: "How we do it.",
    instructions: "# Refunds & returns\n\nHow *we* do it.\n\nMore.",
    tools: [],
    resources: [],
  });
});

describe("missing members are derived from the text", () => {
  test.each([
    ["## Setup\n\nText", "a.md", { displayName: "Setup", description: "Text" }],
    ["Text", "my-notes.md", { id: "my-notes", displayName: "My Notes", description: "Text" }],
    ["- list", "a.md", { displayName: "A", description: "A" }],
    ["# 日本\n\n語", "日.md", { id: expect.stringMatching(/^skill-\w{8}$/), displayName: "日本" }],
    ["---\nname: a-b\ndescription: d\n---\n## Use", "x.md", { id: "a-b", displayName: "A B" }],
    ["---\nname: a\ntitle: T\ndescription: d\n---\n# H", "x.md", { displayName: "T" }],
    ["---\ndescription: d\n---\n", "x/SKILL.md", { id: "x", displayName: "X", instructions: null }],
    [" ", "/", { displayName: expect.stringMatching(/^skill-/), instructions: null }],
  ])("%j in %s", (content, fileName, expected) => {
    expect(generate(content, fileName)).toMatchObject(expected);
  });
});

describe("a warning", () => {
  test.each([
    ["another folder", "---\nname: a\ndescription: d\n---\n", "b/SKILL.md", "folder"],
    ["a name that is no id", "---\nname: A b\ndescription: d\n---\n", "SKILL.md", '"a-b"'],
    ["a long name", `---\nname: ${"a".repeat(65)}\ndescription: d\n---\n`, "SKILL.md", "64"],
    ["no name", "---\ndescription: d\n---\n", "SKILL.md", "no name"],
    ["no description", "---\nname: a\n---\n", "SKILL.md", "no description"],
    [
      "a long description",
      `---\nname: a\ndescription: ${"d".repeat(1_025)}\n---\n`,
      "SKILL.md",
      "1024",
    ],
    [
      "members that a skill does not have",
      "---\nname: a\ndescription: d\nlicense: MIT\ncompatibility: git\nmetadata:\n  author: b\n---\n",
      "SKILL.md",
      "license, compatibility, metadata.author",
    ],
    [
      "metadata that is no map",
      "---\nname: a\ndescription: d\nmetadata: b\n---\n",
      "SKILL.md",
      "not a map",
    ],
    [
      "tools in metadata that are not valid",
      '---\nname: a\ndescription: d\nmetadata:\n  tools: "[1]"\n---\n',
      "SKILL.md",
      "metadata.tools",
    ],
    [
      "another product's tool",
      "---\nname: a\ndescription: d\nallowed-tools: Bash(x)\n---\n",
      "SKILL.md",
      "Bash(x)",
    ],
    ["long instructions", "a ".repeat(bounds.instructionsBytes), "a.md", "262144"],
    [
      "too many files",
      Array.from({ length: 501 }, (_, at) => `[a](${at}.md)`).join("\n\n"),
      "a.md",
      "left out",
    ],
  ])("names %s", (_, content, fileName, words) => {
    const { warnings } = generate(content, fileName);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toContain(words);
  });
});

test("broken front matter is refused with its line", async () => {
  const { slug, members } = await catchGenerateProblem("---\nname: a\ndescription: [b\n---\n");
  expect({ slug, members }).toEqual({
    slug: "validation-failed",
    members: {
      errors: [{ pointer: "/markdownContent", detail: expect.stringContaining("line 3: ") }],
    },
  });
});

test("markdown that takes too long to parse is refused", { tags: "nightly" }, async () => {
  expect((await catchGenerateProblem(">".repeat(1_000_000))).slug).toBe("validation-failed");
});

test("markdown is refused when the processor time of its request is used up", async () => {
  const problem = await catchGenerateProblem("- a\n".repeat(250_000), testProcessor(1));
  expect(problem.members).toEqual({
    errors: [
      {
        pointer: "/markdownContent",
        detail: "exceeds the limit of processor time for parsing",
      },
    ],
  });
});

test("any text results in a draft that can be created, or is refused", { tags: "nightly" }, () => {
  const words = fc.constantFrom(
    ...[
      "---\n",
      "\n",
      "\n\n",
      "# ",
      "name: ",
      "description: ",
      "allowed-tools: ",
      "a",
      "é",
      "\ud800",
    ],
    ...["[a](b.md)", "![", "`", "- ", "> ", ": ", "a/b ", "Bash(x) ", "\0", "日", "*a ", "&a "],
  );
  const content = fc.array(words, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(""));
  const fileName = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(content, fileName, (markdown, name) => {
      try {
        const draft = generate(markdown, name);
        expect(SkillDraft.parse(draft)).toEqual(draft);
        CreateSkillBody.parse(draft);
      } catch (error) {
        if (!(error instanceof MarkdownRefused)) throw error;
      }
    }),
    { numRuns: propertyRuns(1_500) },
  );
});
