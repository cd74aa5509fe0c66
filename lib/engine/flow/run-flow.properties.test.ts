import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compiled,
  depsWithModel,
  flowOptions,
  readPrompt,
  textResult,
} from "../../../test/harness/flow.ts";
import type { FlowEvent, FlowOptions, StepOutcome } from "./flow-result.ts";
import { runFlow } from "./run-flow.ts";

/** Kinds of steps: an expression, a call of a model, or one of the two for each item of a list. */
const kind = fc.constantFrom("Transform", "Prompt", "ForEach", "nested", "none");
const sizes = { Transform: 0, Prompt: 0, ForEach: 3, nested: 2, none: 0 };

const ask = { type: "Prompt", llm: { providerId: "test" } };

const buildStep = (id: string, { type, sources }: { type: string; sources: readonly string[] }) => {
  const from = sources.map((source) => `{% steps.${source}.output %}`);
  const prompt = `${id}: ${from.join(" ")}`;
  const inner = { ...ask, prompt: `${prompt} {% index %}` };
  const nested = { type: "ForEach", items: [1, 2], step: inner, concurrency: 2 };
  switch (type) {
    case "Transform":
      return { id, type, value: { id, from } };
    case "Prompt":
      return { id, ...ask, prompt };
    case "ForEach":
      return { id, type, items: [1, 2, 3], step: inner, concurrency: 2 };
    case "nested":
      return { id, type: "ForEach", items: [1, 2], step: nested };
    default:
      return { id, type: "ForEach", items: [], step: inner };
  }
};

/** Random flows without cycles: edges lead only from earlier to later steps, listed in any order. */
const acyclicFlow = fc
  .integer({ min: 2, max: 9 })
  .chain((count) =>
    fc.record({
      order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
      kinds: fc.array(kind, { minLength: count, maxLength: count }),
      edges: fc
        .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
          maxLength: 20,
          selector: String,
        })
        .map((pairs) => pairs.filter(([from, to]) => from < to)),
    }),
  )
  .map(({ order, kinds, edges }) => {
    const getStepType = (place: number) => kinds[place] ?? "none";
    const steps = order.map((place) => {
      const sources = edges.filter(([, to]) => to === place).map(([from]) => `s${from}`);
      return buildStep(`s${place}`, { type: getStepType(place), sources });
    });
    const ids = order.flatMap((place) => {
      const items = Array.from({ length: sizes[getStepType(place)] }, (_, at) => `s${place}/${at}`);
      const inside = items.flatMap((id) => [id, `${id}/0`, `${id}/1`]);
      return [`s${place}`, ...(getStepType(place) === "nested" ? inside : items)];
    });
    return {
      edges,
      ids,
      flow: compiled(
        steps,
        edges.map(([from, to]) => `s${from}>s${to}`),
      ),
    };
  });

/** Options with a model that repeats the prompt. */
const withModel = (more: Partial<FlowOptions> = {}): FlowOptions => {
  const deps = depsWithModel(async (request) => textResult(readPrompt(request)));
  return flowOptions({ deps, ...more });
};

test("every step and item of any flow runs exactly once and never before its predecessors", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(acyclicFlow, async ({ edges, ids, flow }) => {
      const events: FlowEvent[] = [];
      const options = withModel({ emit: (event) => events.push(event) });
      const result = await runFlow(flow, options);
      expect(result.status).toBe("Succeeded");
      const findEventIndex = (type: string, step: number) =>
        events.findIndex((event) => event.type === type && event.stepId === `s${step}`);
      const listStepIds = (type: string) =>
        events.filter((event) => event.type === type).map(({ stepId }) => stepId);
      expect(listStepIds("step.started").toSorted()).toEqual(ids.toSorted());
      expect(listStepIds("step.completed").toSorted()).toEqual(ids.toSorted());
      for (const [from, to] of edges) {
        expect(findEventIndex("step.completed", from)).toBeLessThan(
          findEventIndex("step.started", to),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("after crashes at any points the output is the same, and nothing finished was repeated", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(acyclicFlow, fc.array(fc.nat(8), { maxLength: 4 }), async (made, crashes) => {
      const { flow, ids } = made;
      const { output, usage } = await runFlow(flow, withModel());
      const completed = new Map<string, StepOutcome>();
      const crashed = new Error("crashed");
      for (const afterMore of [...crashes, Number.POSITIVE_INFINITY]) {
        const before = new Set(completed.keys());
        const started: string[] = [];
        let left = afterMore;
        const options = withModel({
          completed: new Map(completed),
          emit: (event) => event.type === "step.started" && started.push(event.stepId),
          async onStepCompleted(outcome) {
            if (left <= 0) throw crashed;
            left -= 1;
            completed.set(outcome.stepId, JSON.parse(JSON.stringify(outcome)));
          },
        });
        const result = await runFlow(flow, options).catch((error: unknown) => error);
        expect(started.filter((id) => before.has(id))).toEqual([]);
        if (result === crashed) continue;
        expect(result).toMatchObject({ status: "Succeeded", output, usage });
      }
      expect([...completed.keys()].toSorted()).toEqual(ids.toSorted());
    }),
    { numRuns: 60 },
  );
});

test("after hand-overs at any points the output is the same, and every call counts once", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      acyclicFlow,
      fc.array(fc.nat(8), { maxLength: 4 }),
      async ({ flow }, stops) => {
        const expected = await runFlow(flow, withModel());
        const completed = new Map<string, StepOutcome>();
        for (const afterMore of [...stops, Number.POSITIVE_INFINITY]) {
          const handOver = new AbortController();
          let left = afterMore;
          const options = withModel({
            completed: new Map(completed),
            handOver: handOver.signal,
            emit(event) {
              if (event.type === "step.started" && left <= 0) handOver.abort();
              left -= 1;
            },
            onStepCompleted: async (outcome) => void completed.set(outcome.stepId, outcome),
          });
          const result = await runFlow(flow, options);
          if (result.status === "Interrupted") continue;
          expect(result).toMatchObject({ status: "Succeeded", output: expected.output });
          expect(result.usage).toEqual(expected.usage);
          const ids = result.spans.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});
