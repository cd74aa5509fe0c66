import { expect, test } from "vitest";
import { agentsWith, flowOptions, run } from "../../../test/harness/flow.ts";
import type { StepOutcome } from "./flow-result.ts";

const tickets = [{ id: 1, priority: "low" }];
const selecting = {
  id: "urgent",
  type: "Transform",
  value: "{% input.tickets[priority='high'] %}",
};
const probe = {
  id: "probe",
  type: "Transform",
  value: {
    exists: "{% $exists(steps.urgent.output) %}",
    count: "{% $count(steps.urgent.output) %}",
    plain: "{% steps.urgent.output %}",
    text: "[{% steps.urgent.output %}]",
  },
};
const seen = { exists: false, count: 0, plain: null, text: "[]" };

test("an expression that selects nothing is no value for other expressions, and null in JSON", async () => {
  expect((await run([selecting, probe], ["urgent>probe"], { input: { tickets } })).output).toEqual(
    seen,
  );
  expect((await run([selecting], [], { input: { tickets } })).output).toBeNull();
  const plainPath = { ...selecting, value: "{% input.absent %}" };
  expect((await run([plainPath, probe], ["urgent>probe"])).output).toEqual(seen);
});

test("a value that is null is a value", async () => {
  const { output } = await run(
    [{ id: "urgent", type: "Transform", value: null }, probe],
    ["urgent>probe"],
  );
  expect(output).toMatchObject({ exists: true, count: 1 });
});

test("a skipped step reads the same", async () => {
  const steps = [
    { id: "choose", type: "Condition", cases: [{ when: "false", target: "urgent" }] },
    { id: "urgent", type: "Transform", value: 1 },
    { id: "go", type: "Transform", value: 2 },
    probe,
  ];
  const edges = ["choose>urgent", "urgent>probe", "go>probe"];
  expect((await run(steps, edges)).output).toEqual(seen);
});

test("a Condition is false, a ForEach runs for no item, and a SubAgent gets null", async () => {
  const inputs: unknown[] = [];
  const agents = agentsWith(async ({ input }) => {
    inputs.push(input);
    return "asked";
  });
  const deps = { ...flowOptions().deps, agents };
  const steps = [
    selecting,
    {
      id: "any",
      type: "Condition",
      cases: [{ when: "$count(steps.urgent.output) > 0", target: "page" }],
      otherwise: "rest",
    },
    { id: "page", type: "Transform", value: "paged" },
    { id: "rest", type: "Transform", value: "nobody" },
    {
      id: "loop",
      type: "ForEach",
      items: "{% steps.urgent.output %}",
      step: { type: "Transform", value: "{% item.id %}" },
    },
    { id: "sub", type: "SubAgent", agentId: "other", input: { of: "{% steps.urgent.output %}" } },
  ];
  const edges = ["urgent>any", "any>page", "any>rest", "urgent>loop", "urgent>sub"];
  const { output } = await run(steps, edges, { input: { tickets }, deps });
  expect(output).toEqual({ rest: "nobody", loop: [], sub: "asked" });
  expect(inputs).toEqual([{ of: null }]);
});

test("a run that resumes from stored steps sees the same", async () => {
  const stored: StepOutcome[] = [];
  const keep = async (outcome: StepOutcome) => void stored.push(outcome);
  await run([selecting], [], { input: { tickets }, onStepCompleted: keep });
  const read: StepOutcome[] = JSON.parse(JSON.stringify(stored));
  const completed = new Map(read.map((outcome) => [outcome.stepId, outcome]));
  const { output } = await run([selecting, probe], ["urgent>probe"], {
    input: { tickets: [{ priority: "high" }] },
    completed,
  });
  expect(output).toEqual(seen);
});
