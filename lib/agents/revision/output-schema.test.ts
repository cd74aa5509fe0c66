import { expect, test } from "vitest";
import { RevisionContent } from "./content.ts";
import { compileRevision } from "./load-revision.ts";
import { findOutputSchema } from "./output-schema.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const ask = (id: string, more: object = {}) => ({
  id,
  type: "Prompt",
  prompt: "Where?",
  outputSchema: schema,
  ...more,
});
const out = (value: unknown) => ({ id: "out", type: "Output", value });

const find = (steps: object[], edges: object[] = []) =>
  findOutputSchema(compileRevision(RevisionContent.parse({ flow: { steps, edges } })));
const edge = (source: string, target: string, more: object = {}) => ({ source, target, ...more });

test.each([
  ["a Prompt alone", [ask("a")], []],
  [
    "a Prompt after another step",
    [{ id: "t", type: "Transform", value: 1 }, ask("a")],
    [edge("t", "a")],
  ],
  ["an Output that names a Prompt", [ask("a"), out("{% steps.a.output %}")], [edge("a", "out")]],
])("the outputs of %s have its schema", (_, steps, edges) => {
  expect(find(steps, edges)).toEqual(schema);
});

test.each([
  ["a Prompt without a schema", [{ id: "a", type: "Prompt", prompt: "Hi" }], []],
  ["two last steps", [ask("a"), ask("b")], []],
  [
    "an Output of another value",
    [ask("a"), out({ city: "{% steps.a.output %}" })],
    [edge("a", "out")],
  ],
  ["a Prompt with a value for its failure", [ask("a", { onError: { value: "none" } })], []],
  [
    "an edge for a failure",
    [ask("a"), { id: "b", type: "Transform", value: 1 }],
    [edge("a", "b", { on: "error" })],
  ],
  [
    "a choice of steps",
    [
      { id: "c", type: "Condition", cases: [{ when: "{% true %}", target: "a" }], otherwise: "b" },
      { id: "b", type: "Transform", value: 1 },
      ask("a"),
    ],
    [edge("c", "a"), edge("c", "b"), edge("b", "a")],
  ],
])("the outputs of a flow with %s have no schema", (_, steps, edges) => {
  expect(find(steps, edges)).toBeUndefined();
});
