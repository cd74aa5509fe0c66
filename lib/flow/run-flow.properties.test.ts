import fc from "fast-check";
import { expect, test } from "vitest";
import { compiled, flowOptions } from "../../test/harness/flow.ts";
import type { FlowEvent, StepOutcome } from "./flow-result.ts";
import { runFlow } from "./run-flow.ts";

/** Random flows without cycles: edges lead only from earlier to later steps, listed in any order. */
const acyclicFlow = fc
  .integer({ min: 2, max: 12 })
  .chain((count) =>
    fc.record({
      order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
      edges: fc
        .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
          maxLength: 30,
          selector: String,
        })
        .map((pairs) => pairs.filter(([from, to]) => from < to)),
    }),
  )
  .map(({ order, edges }) => ({
    edges,
    flow: compiled(
      order.map((place) => ({
        id: `s${place}`,
        type: "Transform",
        value: {
          place,
          from: edges
            .filter(([, to]) => to === place)
            .map(([from]) => `{% steps.s${from}.output %}`),
        },
      })),
      edges.map(([from, to]) => `s${from}>s${to}`),
    ),
  }));

test("every step of any flow runs exactly once and never before its predecessors", async () => {
  await fc.assert(
    fc.asyncProperty(acyclicFlow, async ({ edges, flow }) => {
      const events: FlowEvent[] = [];
      const result = await runFlow(flow, flowOptions({ emit: (event) => events.push(event) }));
      expect(result.status).toBe("Succeeded");
      const placeOf = (type: string, step: number) =>
        events.findIndex((event) => event.type === type && event.stepId === `s${step}`);
      const started = events
        .filter(({ type }) => type === "step.started")
        .map(({ stepId }) => stepId);
      expect(started.toSorted()).toEqual(flow.steps.map(({ base }) => base.id).toSorted());
      for (const [from, to] of edges) {
        expect(placeOf("step.completed", from)).toBeLessThan(placeOf("step.started", to));
      }
    }),
    { numRuns: 60 },
  );
});

test("going on after any number of finished steps gives the same output and repeats none", async () => {
  await fc.assert(
    fc.asyncProperty(acyclicFlow, fc.nat(12), async ({ flow }, finished) => {
      const outcomes: StepOutcome[] = [];
      const onStepCompleted = async (outcome: StepOutcome) => void outcomes.push(outcome);
      const whole = await runFlow(flow, flowOptions({ onStepCompleted }));
      const completed = new Map(
        outcomes.slice(0, finished).map((outcome) => [outcome.stepId, outcome]),
      );
      const again: string[] = [];
      const rest = await runFlow(
        flow,
        flowOptions({
          completed,
          emit: (event) => {
            if (event.type === "step.started") again.push(event.stepId);
          },
        }),
      );
      expect(rest.output).toEqual(whole.output);
      expect(again.filter((id) => completed.has(id))).toEqual([]);
      expect(again.length + completed.size).toBe(flow.steps.length);
    }),
    { numRuns: 60 },
  );
});
