import { expect, test } from "vitest";
import { describeChanges, mergeFlows } from "../../console/src/agents/revision/describe-changes.ts";

const before = {
  parametersMetadata: [{ name: "city", type: "String" }],
  flow: {
    steps: [
      { id: "plan", type: "Prompt", prompt: "Plan a day in {% input.city %}" },
      { id: "old", type: "Transform", value: 1 },
      { id: "end", type: "Output", value: "{% steps.plan.output %}" },
    ],
    edges: [
      { source: "plan", target: "old" },
      { source: "old", target: "end" },
    ],
  },
};
const after = {
  parametersMetadata: [{ name: "city", type: "String", required: true }],
  guardrails: ["privacy"],
  flow: {
    steps: [
      { id: "plan", type: "Prompt", prompt: "Plan two days", maxTurns: 3 },
      { id: "check", type: "Approval", title: "Fine?" },
      { id: "end", type: "Output", value: "{% steps.plan.output %}" },
    ],
    edges: [
      { source: "plan", target: "check" },
      { source: "check", target: "end" },
    ],
  },
};

test("a comparison says in words what became of steps, inputs and settings", () => {
  expect(describeChanges(before, after)).toEqual([
    {
      kind: "changed",
      subject: "Prompt plan",
      details: [
        "prompt: “Plan a day in {% input.city %}” is now “Plan two days”",
        "maxTurns added: “3”",
        "now leads to check",
        "no longer leads to old",
      ],
    },
    { kind: "added", subject: "Approval check", details: ["title added: “Fine?”"] },
    { kind: "removed", subject: "Transform old", details: [] },
    { kind: "changed", subject: "Input city", details: ["required added: “true”"] },
    { kind: "changed", subject: "Settings", details: ['guardrails added: “["privacy"]”'] },
  ]);
  expect(describeChanges(after, after)).toEqual([]);
});

test("the graph of a comparison has the steps of both revisions, and marks those that differ", () => {
  const { flow, marks } = mergeFlows(before.flow, after.flow);
  expect(flow.steps.map(({ id }) => id)).toEqual(["plan", "check", "end", "old"]);
  expect(flow.connections).toHaveLength(4);
  expect(Object.fromEntries(marks)).toEqual({ plan: "changed", check: "added", old: "removed" });
});
