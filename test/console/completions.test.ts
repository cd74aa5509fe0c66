import { expect, test } from "vitest";
import { listCompletions } from "../../console/src/agents/flow/expression/completions.ts";
import { findEarlierSteps } from "../../console/src/agents/flow/expression/find-earlier-steps.ts";

const scope = {
  inputs: ["city", "from date"],
  steps: ["plan", "look-up"],
  values: {
    input: { city: "Bern" },
    steps: { plan: { output: { days: [{ name: "Monday" }] } } },
  },
};

/** Completes a text at the mark `|`. */
const complete = (marked: string, isBare = false) => {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = listCompletions(text, position, { scope, isBare, isAsked: true });
  return found?.options.map(({ label, apply }) => apply ?? label);
};

test("inputs and steps that can be read are completed between the marks of an expression, and nothing is outside", () => {
  expect(complete("A day in {% input.| %}")).toEqual(["city", "`from date`"]);
  expect(complete("{% steps.pl|")).toEqual(["plan", "`look-up`"]);
  expect(complete("{% parameters.|")).toEqual(["city", "`from date`"]);
  expect(complete("A day in input.|")).toBeUndefined();
  expect(complete("{% input.city %} and |")).toBeUndefined();
  expect(complete("input.|", true)).toEqual(["city", "`from date`"]);
});

test("an output is completed with the members that it had in a run, through lists and quoted names", () => {
  expect(complete("{% steps.plan.|")).toEqual(["output"]);
  expect(complete("{% steps.`look-up`.| %}")).toEqual(["output"]);
  expect(complete("{% steps.plan.output.|")).toEqual(["days"]);
  expect(complete("{% steps.plan.output.days.| %}")).toEqual(["name"]);
  expect(complete("{% steps.plan.output.days[0].na| %}")).toEqual(["name"]);
  expect(complete("{% steps.unknown.output.| %}")).toBeUndefined();
});

test("functions and the names at the top are completed; a text inside of an expression is not", () => {
  expect(complete("{% $upper|")).toContain("$uppercase(");
  expect(complete("{% inp|")).toEqual(expect.arrayContaining(["input", "steps", "$sum("]));
  expect(complete("{% $uppercase(input.|")).toEqual(["city", "`from date`"]);
  expect(complete("{% 'input.|' %}")).toBeUndefined();
});

test("earlier steps are those that lead to a step by edges and choices, the nearest first", () => {
  const steps = [
    { id: "a", type: "Transform" },
    { id: "b", type: "Condition", cases: [{ when: "true", target: "c" }] },
    { id: "c", type: "Output" },
    { id: "d", type: "Output" },
  ];
  const edges = [
    { source: "a", target: "b" },
    { source: "a", target: "d" },
  ];
  expect(findEarlierSteps({ flow: { steps, edges } }, "c")).toEqual(["b", "a"]);
  expect(findEarlierSteps({ flow: { steps, edges } }, "a")).toEqual([]);
});
