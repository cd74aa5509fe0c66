import { expect, test } from "vitest";
import { readMode, withMode } from "../../console/src/agents/flow/form/approval-mode.ts";
import { readToolKey } from "../../console/src/agents/flow/form/tool-keys.ts";
import { removeStep, renameStep } from "../../console/src/flow-graph/edit-flow.ts";
import { toFlowModel } from "../../console/src/flow-graph/flow-model.ts";

const actions = [
  { id: "approve", label: "Approve", target: "pay" },
  { id: "reject", label: "Reject" },
];
const draft = {
  flow: {
    steps: [
      { id: "ask", type: "Approval", title: "Pay?", actions },
      { id: "pay", type: "Output", value: "{% steps.ask.output.action %}" },
    ],
    edges: [],
  },
};

test("an action with a target is a labelled choice of the graph, as a case of a Condition is", () => {
  expect(toFlowModel(draft.flow).connections).toEqual([
    { source: "ask", target: "pay", label: "Approve", handle: "actions/0", isOnError: false },
  ]);
});

test("the target of an action follows a renamed step, and ends with a removed one", () => {
  const renamed = toFlowModel(renameStep(draft, "pay", "paid").flow);
  expect(renamed.connections).toMatchObject([{ source: "ask", target: "paid" }]);
  expect(renamed.steps[0]?.actions).toEqual([{ ...actions[0], target: "paid" }, actions[1]]);
  const [ask] = toFlowModel(removeStep(draft, "pay").flow).steps;
  expect(ask?.actions).toEqual([{ id: "approve", label: "Approve" }, actions[1]]);
});

test("an Approval without actions gets none by a rename", () => {
  const plain = { flow: { steps: [{ id: "ask", type: "Approval", title: "Pay?" }], edges: [] } };
  expect(renameStep(plain, "ask", "decide")).toEqual({
    flow: { steps: [{ id: "decide", type: "Approval", title: "Pay?" }], edges: [] },
  });
});

test("a tool that people approve keeps its other members, and those that are not known", () => {
  const tool = { integrationId: "mail", toolId: "send", configId: "c", later: { a: 1 } };
  const asked = withMode({ ...tool, allowStarter: false }, "writes");
  expect(asked).toEqual({ ...tool, allowStarter: false, approval: "writes" });
  expect(readMode(asked)).toBe("writes");
  expect(withMode(asked, "always")).toEqual({ ...tool, allowStarter: false, approval: true });
  expect(readMode(withMode(asked, "expression"))).toBe("expression");
  // Approvers without an approval are refused.
  expect(withMode(asked, "never")).toEqual(tool);
});

test("the id of a tool becomes an object that names the same tool, and the id again", () => {
  const asked = withMode("current_time", "always");
  expect(asked).toEqual({ toolId: "current_time", approval: true });
  expect(readToolKey(asked)).toBe(readToolKey("current_time"));
  expect(withMode(asked, "never")).toBe("current_time");
  expect(withMode("current_time", "never")).toBe("current_time");
});
