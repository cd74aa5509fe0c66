import * as fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryText } from "../../test/harness/arbitrary-revision.ts";
import { readSkillFile, toSkillContent, writeSkillFile } from "./skill-file.ts";

const arbitraryList = <Item>(item: fc.Arbitrary<Item>) =>
  fc.option(fc.array(item, { maxLength: 3 }), { nil: null });
const some = arbitraryText.map((text) => text.slice(0, 100) || "x");
const arbitrarySkill = fc.record({
  displayName: some,
  description: some,
  instructions: fc.option(arbitraryText, { nil: null }),
  tools: arbitraryList(
    fc.record({
      integrationId: fc.oneof(fc.constant("system"), some),
      id: fc.oneof(fc.constant("calculate"), some),
    }),
  ),
  resources: arbitraryList(
    fc.record({ assetId: some, description: arbitraryText, vectorized: fc.boolean() }),
  ),
});

test("SKILL.md has every skill without loss, and is written again as it is", {
  tags: "nightly",
}, () => {
  void fc.assert(
    fc.property(arbitrarySkill, (stored) => {
      const skill = toSkillContent(JSON.parse(JSON.stringify(stored)));
      const text = writeSkillFile("some-skill", skill);
      expect(readSkillFile("SKILL.md", "some-skill", text)).toEqual({ skill, problems: [] });
      expect(writeSkillFile("some-skill", skill, text)).toBe(text);
    }),
    {
      numRuns: 50,
      examples: [
        [
          {
            displayName: "a\n\n",
            description: "x",
            instructions: null,
            tools: null,
            resources: null,
          },
        ],
      ],
    },
  );
});

test("a skill in the Agent Skills format is valid as it is, and its unsupported members are kept", () => {
  const text =
    "---\nname: pdf\n# for lawyers\ndescription: Use when: asked for\nlicense: MIT\nallowed-tools: Read calculate\n---\n\n# PDF forms\n\nSee [fields](fields.md).\n";
  const { skill } = readSkillFile("SKILL.md", "pdf", text);
  expect(skill).toEqual({
    displayName: "PDF forms",
    description: "Use when: asked for",
    instructions: "# PDF forms\n\nSee [fields](fields.md).",
    tools: [{ integrationId: "system", id: "calculate" }],
    resources: [{ assetId: "fields.md", description: "fields", vectorized: false }],
  });
  if (!skill) throw new Error("there is no skill");
  const changed = writeSkillFile("pdf", { ...skill, displayName: "Forms" }, text);
  expect(changed).toContain(
    "license: MIT\nallowed-tools: Read calculate\nmetadata:\n  display-name: Forms\n",
  );
  expect(changed).toContain("# for lawyers\n");
});

test("a skill with all members of the Agent Skills format keeps those that are not sent", () => {
  const text =
    "---\nname: pdf\ndescription: Fills forms.\nlicense: Apache-2.0\ncompatibility: Needs git\nmetadata:\n  author: example-org\n  version: '1.0'\nallowed-tools:\n  - Bash(git:*)\n  - calculate\n---\n\n# PDF\n\nSee [fields](references/fields.md).\n";
  const { skill, problems } = readSkillFile("SKILL.md", "pdf", text);
  if (!skill) throw new Error("there is no skill", { cause: problems });
  expect(skill.tools).toEqual([{ integrationId: "system", id: "calculate" }]);
  expect(writeSkillFile("pdf", skill, text)).toBe(text);
  const resources = [{ assetId: "fields", description: "Fields", vectorized: true }];
  const changed = writeSkillFile("pdf", { ...skill, resources }, text);
  expect(readSkillFile("SKILL.md", "pdf", changed).skill).toEqual({ ...skill, resources });
  for (const kept of ["Apache-2.0", "Needs git", "example-org", "Bash(git:*)"]) {
    expect(changed).toContain(kept);
  }
});

test("errors in the front matter are reported with their line", () => {
  const problems = (text: string) =>
    readSkillFile("SKILL.md", "pdf", text).problems.map(({ line, detail }) => `${line}: ${detail}`);
  expect(problems("# no front matter\n")).toEqual(["1: must start with front matter (---)"]);
  expect(problems("---\nname: other\n---\n")).toEqual([
    '2: must be the name of the folder, "pdf"',
    "1: is required",
  ]);
  expect(problems("---\nname: pdf\ndescription: [a\n---\n")[0]).toMatch(/^\d: /);
});
