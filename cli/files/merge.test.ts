import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { propertyRuns } from "../../test/harness/runs.ts";
import { mergeInto, renderMerged } from "./merge.ts";
import { parseYaml, readValue } from "./yaml-document.ts";

/** Writes values into a text, as a second pull does. */
const merge = (
  text: string,
  compact: Record<string, unknown>,
  full = compact,
  env = {},
): string => {
  const { document } = parseYaml("a.agent.yaml", text).yaml;
  return mergeInto(document, { full, compact }, env) ? renderMerged(document, text) : text;
};

const variable = ["$", "{HOST}"].join("");

test("keeps comments, order, quotes, blank lines and indentation of what is equal or changes", () => {
  const text = [
    "# The greeter",
    "useSession: true # a chat",
    "",
    "displayName: 'Hello'",
    "flow:",
    "  steps:",
    "  - id: ask # the question",
    "    prompt: |",
    "      Hi,",
    "      there",
    "  # the answer",
    "  - { id: out, type: Output }",
    "",
  ].join("\n");
  const steps = [
    { id: "ask", prompt: "Hi,\nyou" },
    { id: "new", type: "Output" },
    { id: "out", type: "Output" },
  ];
  expect(merge(text, { displayName: "Hi", useSession: true, comment: "x", flow: { steps } })).toBe(
    [
      "# The greeter",
      "useSession: true # a chat",
      "comment: x",
      "",
      "displayName: 'Hi'",
      "flow:",
      "  steps:",
      "  - id: ask # the question",
      "    prompt: |-",
      "      Hi,",
      "      you",
      "  - id: new",
      "    type: Output",
      "  # the answer",
      "  - { id: out, type: Output }",
      "",
    ].join("\n"),
  );
});

test("keeps members with default values, variables that equal the value or hold a secret, and x- members", () => {
  const text = `x-notes: any\ndisplayName: a\nuseSession: false\nassets: []\nlink: https://${variable}/x\ntoken: ${variable}\n`;
  const compact = { displayName: "a", link: "https://example.com/x", token: "********" };
  const full = { ...compact, useSession: false, assets: [] };
  expect(merge(text, compact, full)).toBe(text);
  expect(merge(text, compact, full, { HOST: "example.com" })).toBe(text);
  expect(merge(text, compact, full, { HOST: "other.example.com" })).toContain(
    `link: https://example.com/x\ntoken: ${variable}`,
  );
  expect(merge(text, compact, { ...full, useSession: true })).not.toContain("useSession");
});

test("writes what an alias refers to, so that a change of one place does not change another", () => {
  const text = "x-llm: &llm { providerId: echo }\none: *llm\ntwo: *llm\n";
  expect(merge(text, { one: { providerId: "echo" }, two: { providerId: "other" } })).toBe(
    "x-llm: &llm { providerId: echo }\none: *llm\ntwo: { providerId: other }\n",
  );
});

test("writes what is added to an empty list or object as a block", () => {
  const text = "assets: []\nparameters: {}\nrules: []\nflow: { edges: [] }\n";
  const parts = { rules: [], flow: { edges: [{ source: "a", target: "b" }] } };
  expect(merge(text, { assets: [{ id: "a" }], parameters: { token: "x" }, ...parts })).toBe(
    "assets:\n  - id: a\nparameters:\n  token: x\nrules: []\nflow: { edges: [ { source: a, target: b } ] }\n",
  );
  expect(merge(text, { assets: [], parameters: {}, rules: [], flow: { edges: [] } })).toBe(text);
});

test("keeps compact lines, odd indentations and wide spaces where nothing changes", () => {
  const text = [
    "displayName:    Desk",
    "llmConfigs: [{providerId: echo,parameters: {model: a}}]",
    "flow:",
    "    steps:",
    "        - {id: ask,type: Prompt,prompt: One}",
    "        - {id: out,type: Output,value: [1,2,   3]}",
    "        - {id: end,type: Output}",
    "    edges: [{source: ask,target: out},",
    "            {source: out,target: end}]",
    "",
  ].join("\n");
  const { value } = readValue(parseYaml("a", text).yaml, {});
  const of = (prompt: string, displayName = "Desk") => {
    const { flow, ...rest } = Object(structuredClone(value));
    flow.steps[0].prompt = prompt;
    return { ...rest, displayName, flow };
  };
  const changedLines = (to: string): string[] =>
    to.split("\n").filter((line) => !text.split("\n").includes(line));
  expect(merge(text, of("One"))).toBe(text);
  expect(changedLines(merge(text, of("Two")))).toEqual([
    "        - { id: ask, type: Prompt, prompt: Two }",
  ]);
  expect(changedLines(merge(text, of("One", "Help")))).toEqual(["displayName: Help"]);
  const added = of("One");
  added.flow.steps.push({ id: "new", type: "Output" });
  expect(changedLines(merge(text, added))).toEqual(["        - id: new", "          type: Output"]);
  const removed = of("One");
  removed.flow.steps.splice(1, 1);
  expect(changedLines(merge(text, removed))).toEqual([]);
});

test("changes the value and nothing else, whatever the style of the text", {
  tags: "nightly",
}, () => {
  const json = fc.jsonValue({
    maxDepth: 3,
    stringUnit: fc.constantFrom("a", "b ", ":", "#", "\n"),
  });
  const record = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), json);
  fc.assert(
    fc.property(record, record, fc.boolean(), (before, after, padded) => {
      const text = JSON.stringify(before, null, padded ? 3 : undefined);
      const to = JSON.parse(JSON.stringify(after));
      expect(parse(merge(text, to))).toEqual(to);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("limits the values that the aliases of a file expand to", { tags: "nightly" }, () => {
  const ones = (count: number, text: string) => `[${new Array(count).fill(text).join(",")}]`;
  const text = `a: &a ${ones(1_000, "1")}\nb: &b ${ones(30, "*a")}\nc: ${ones(30, "*b")}`;
  const { value, problems } = readValue(parseYaml("a.yaml", text).yaml, {});
  expect(problems).toMatchObject([{ detail: "has too many values" }]);
  expect(JSON.stringify(value).length).toBeLessThan(4_000_000);
});
