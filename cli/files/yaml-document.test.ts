import { expect, test } from "vitest";
import { parseYaml } from "./yaml-document.ts";

const findFaults = (text: string): string[] =>
  parseYaml("a.agent.yaml", text).problems.map(
    ({ line, column, detail }) => `${line}:${column} ${detail}`,
  );

test.each([
  ["a colon in a value", "name: Tri: age\nflow:\n\tsteps: []\n", "1:7 has a colon in a value"],
  ["a deeper line", 'name: Triage\n  description: x\nflow:\n  text: "y\n', "1:7 has a colon in a"],
  [
    "an open bracket",
    "flow:\n  steps: [{id: a]\n  edges: []\n",
    "2:17 has a bracket that is not closed: } is",
  ],
  ["a tab", "flow:\n\tsteps: []\n", "2:1 has a tab as indentation; use spaces"],
])("reports one error for %s", (_, text, start) => {
  expect(findFaults(text)).toEqual([expect.stringContaining(start)]);
});

test("reports every duplicate name", () => {
  expect(findFaults("a: 1\na: 2\nb: 1\nb: 2\n")).toEqual([
    "2:1 has a name that is already used in this object",
    "4:1 has a name that is already used in this object",
  ]);
});
