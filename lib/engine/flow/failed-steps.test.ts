import fc from "fast-check";
import { expect, test } from "vitest";
import { compiled, flowOptions, run, toolsWith } from "../../../test/harness/flow.ts";
import { testProcessor } from "../../../test/harness/processor.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { StepError } from "../step-error.ts";
import { checkFlow, compileFlow } from "./compile-flow.ts";
import type { FlowEvent, FlowOptions, StepOutcome } from "./flow-result.ts";
import { runFlow } from "./run-flow.ts";

const transform = (id: string, value: unknown) => ({ id, type: "Transform", value });
/** Fails as its expression does. */
const failing = (id: string, more: object = {}) => ({ ...transform(id, "{% 1 + 'x' %}"), ...more });
const tool = (id: string, more: object = {}) => ({
  id,
  type: "Tool",
  integrationId: "test",
  toolId: "tool",
  ...more,
});
const withTool = (runTool: Parameters<typeof toolsWith>[0]): Partial<FlowOptions> => ({
  deps: { ...flowOptions().deps, tools: toolsWith(runTool) },
});

test("a failed step leads to its error edges alone, and their steps read why", async () => {
  const steps = [
    tool("call", { retry: { maxAttempts: 2, backoffSeconds: 0 } }),
    transform("good", "{% steps.call.output %}"),
    transform("bad", { failed: "{% steps.call.error %}" }),
    transform("always", "{% $exists(steps.call.output) %}"),
  ];
  const edges = ["call>good", "call!bad", "call>always", "call!always"];
  const events: FlowEvent[] = [];
  const result = await run(steps, edges, {
    ...withTool(async () => {
      throw new UpstreamError("Too busy.", { upstream: "test", upstreamStatus: 503 });
    }),
    emit: (event) => events.push(event),
  });
  expect(result).toMatchObject({
    status: "Succeeded",
    error: null,
    output: {
      bad: {
        failed: { slug: "upstream-failed", upstream: "test", upstreamStatus: 503 },
      },
      always: false,
    },
  });
  const spans = result.spans.map(({ id, status, handled }) => [id, status, handled]);
  expect(spans).toContainEqual(["call", "Failed", undefined]);
  expect(spans).toContainEqual(["call#2", "Failed", true]);
  expect(spans).toContainEqual(["good", "Skipped", undefined]);
  const failed = events.flatMap((event) => (event.type === "step.failed" ? [event] : []));
  expect(failed.map(({ willRetry, handled }) => [willRetry, handled])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(events).not.toContainEqual(
    expect.objectContaining({ type: "step.completed", stepId: "call" }),
  );
});

test("error edges of a step that succeeds or is skipped are inactive", async () => {
  const steps = [
    {
      id: "choose",
      type: "Condition",
      cases: [{ when: "false", target: "call" }],
      otherwise: "done",
    },
    tool("call"),
    transform("bad", 1),
    transform("done", 2),
  ];
  const { output } = await run(
    steps,
    ["call!bad"],
    withTool(async () => "fine"),
  );
  expect(output).toEqual({ done: 2 });
  const succeeded = await run(
    [tool("call"), transform("bad", 1)],
    ["call!bad"],
    withTool(async () => "fine"),
  );
  expect(succeeded.output).toEqual({ call: "fine" });
});

test("onError gives the output, and its value reads the failure", async () => {
  const value = { why: "{% error.slug %}", same: "{% steps.a.error.detail = error.detail %}" };
  const steps = [
    failing("a", { onError: { value } }),
    transform("b", "{% [steps.a.output, steps.a.error.slug] %}"),
  ];
  const { output, spans } = await run(steps, ["a>b"]);
  expect(output).toEqual([{ why: "execution-failed", same: true }, "execution-failed"]);
  expect(spans[0]).toMatchObject({ id: "a", status: "Failed", handled: true });
});

test("onError of a Condition chooses a target, and that of an Output ends the flow", async () => {
  const condition = {
    id: "choose",
    type: "Condition",
    cases: [{ when: "1 + 'x'", target: "a" }],
    otherwise: "b",
    onError: { value: "a" },
  };
  const chosen = await run([condition, transform("a", 1), transform("b", 2)]);
  expect(chosen.output).toEqual({ a: 1 });
  const ended = await run([{ ...failing("end", { onError: { value: 7 } }), type: "Output" }]);
  expect(ended).toMatchObject({ status: "Succeeded", output: 7 });
});

test("onError of the step in a ForEach gives the item's output, with its item", async () => {
  const step = {
    type: "Transform",
    value: "{% item = 2 ? 1 + 'x' : item %}",
    onError: { value: "{% 'no ' & item %}" },
  };
  const { output } = await run([{ id: "each", type: "ForEach", items: [1, 2, 3], step }]);
  expect(output).toEqual([1, "no 2", 3]);
});

test("a failing onError fails the step", async () => {
  const { error } = await run([failing("a", { onError: { value: "{% 2 + 'y' %}" } })]);
  expect(error).toMatchObject({ slug: "execution-failed", step: "a" });
  expect(error?.detail).toMatch(/^onError: /);
});

test("budgets, cancels and the end of the execution's time are not handled", async () => {
  const steps = [tool("call"), transform("bad", 1)];
  const spent = await run(
    steps,
    ["call!bad"],
    withTool(async () => {
      throw new StepError("budget-exceeded", "Spent.");
    }),
  );
  expect(spent).toMatchObject({ status: "Failed", error: { slug: "budget-exceeded" } });
  const cancel = new AbortController();
  const cancelled = await run(steps, ["call!bad"], {
    ...withTool(async () => {
      cancel.abort();
      throw new Error("aborted");
    }),
    signal: cancel.signal,
  });
  expect(cancelled.status).toBe("Cancelled");
  const late = await run(steps, ["call!bad"], { deadline: 1, ...withTool(async () => "x") });
  expect(late.status).toBe("TimedOut");
});

const findProblems = async (flow: object) => {
  const result = await checkFlow(flow, {}, testProcessor(60_000));
  return result.ok ? [] : result.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};
const onError = (source: string, target: string) => ({ source, target, on: "error" });

test("refuses error edges and onError that are never used, and reads of what cannot exist", async () => {
  const steps = [
    transform("fixed", 1),
    failing("both", { onError: { value: 1 } }),
    failing("a"),
    transform("after", "{% steps.a.error.slug %}"),
    transform("only", "{% steps.a.output %}"),
    transform("constant", 2),
    {
      id: "each",
      type: "ForEach",
      items: [1],
      step: { type: "Transform", value: 1, onError: { value: 2 } },
    },
  ];
  const edges = [
    onError("fixed", "constant"),
    onError("both", "constant"),
    { source: "a", target: "after" },
    onError("a", "only"),
    { source: "a", target: "constant", on: "failure" },
  ];
  expect(await findProblems({ steps, edges })).toEqual([
    "/steps/6/step/onError The step cannot fail: it waits for nothing that may not come, and has no expression.",
    '/edges/4/on must be "error"',
    '/edges/0/on The step "fixed" cannot fail: it waits for nothing that may not come, and has no expression.',
    '/edges/1/on The step "both" has onError, which gives it an output when it fails: remove one of the two.',
    '/steps/3/value The expression reads steps.a.error, but "a" has no onError, and none of its edges with "on": "error" lead to this step.',
    '/steps/4/value The expression reads steps.a.output, but this step runs only after "a" has failed.',
  ]);
});

test("accepts error edges and onError of steps that people and events may let fail, and of no other wait", async () => {
  const wait = (id: string, more: object) => ({ id, type: "Wait", ...more });
  const approval = { id: "decide", type: "Approval", title: "May it?" };
  const { id: _id, ...inner } = approval;
  const steps = [
    approval,
    wait("called", { callback: true }),
    wait("event", { event: { webhookId: "0193f0a0-7c4b-7000-8000-000000000001" } }),
    { id: "each", type: "ForEach", items: [1], step: { ...inner, onError: { value: null } } },
    { id: "all", type: "ForEach", items: [1], step: inner },
    wait("patient", { callback: true, onTimeout: "continue" }),
    wait("pause", { seconds: 1 }),
    transform("late", 1),
  ];
  const sources = ["decide", "called", "event", "all", "patient", "pause"];
  const edges = sources.map((source) => onError(source, "late"));
  const words = "cannot fail: it waits for nothing that may not come, and has no expression.";
  expect(await findProblems({ steps, edges })).toEqual([
    `/edges/4/on The step "patient" ${words}`,
    `/edges/5/on The step "pause" ${words}`,
  ]);
});

test("accepts reads of an error after its edges, after onError, and in onError itself", async () => {
  const steps = [
    failing("a", { onError: { value: "{% steps.a.error.slug %}" } }),
    failing("b"),
    transform("c", "{% steps.a.error.slug & steps.b.error.slug %}"),
    transform("d", "{% $exists(steps.b.error) or $exists(steps.b.output) %}"),
  ];
  const edges = [
    { source: "a", target: "c" },
    onError("b", "c"),
    { source: "c", target: "d" },
    { source: "b", target: "d" },
  ];
  expect(await findProblems({ steps, edges })).toEqual([]);
});

/** Random flows without cycles, with steps that may fail and edges of both kinds. */
const fallible = fc.record({
  fails: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  values: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  edges: fc.uniqueArray(
    fc.tuple(fc.nat(6), fc.nat(6), fc.boolean()).filter(([from, to]) => from < to),
    { maxLength: 16, selector: String },
  ),
});

const buildFallible = ({
  fails,
  values,
  edges,
}: typeof fallible extends fc.Arbitrary<infer Flow> ? Flow : never) => {
  const hasEdge = (place: number) => edges.some(([from, , on]) => on && from === place);
  const steps = fails.map((isFailing, place) => ({
    id: `s${place}`,
    type: "Transform",
    value: isFailing ? "{% 1 + 'x' %}" : `{% ${place} + 0 %}`,
    ...(values[place] && !hasEdge(place) && { onError: { value: `{% 'no ' & ${place} %}` } }),
  }));
  return { steps, edges: edges.map(([from, to, on]) => `s${from}${on ? "!" : ">"}s${to}`) };
};

test("a step of any flow runs exactly if an active edge leads to it, also after hand-overs and crashes", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(fallible, fc.array(fc.nat(6), { maxLength: 3 }), async (made, stops) => {
      const { fails, edges } = made;
      const { steps, edges: drawn } = buildFallible(made);
      const flow = compiled(steps, drawn);
      const ran = new Map<number, boolean>();
      const isUnhandled = (place: number) =>
        fails[place] === true &&
        !("onError" in (steps[place] ?? {})) &&
        !edges.some(([from, , on]) => on && from === place);
      for (let place = 0; place < fails.length; place += 1) {
        const into = edges.filter(([, to]) => to === place);
        const isActive = ([from, , on]: readonly [number, number, boolean]) => {
          const failed = fails[from] === true && !("onError" in (steps[from] ?? {}));
          return ran.get(from) === true && failed === on;
        };
        ran.set(place, into.length === 0 || into.some(isActive));
      }
      const expected = [...ran].some(([place, is]) => is && isUnhandled(place))
        ? "Failed"
        : "Succeeded";
      const completed = new Map<string, StepOutcome>();
      for (const afterMore of [...stops, Number.POSITIVE_INFINITY]) {
        const handOver = new AbortController();
        let left = afterMore;
        const result = await runFlow(
          flow,
          flowOptions({
            completed: new Map(completed),
            handOver: handOver.signal,
            emit(event) {
              if (event.type === "step.started" && left <= 0) handOver.abort();
              left -= 1;
            },
            onStepCompleted: async (outcome) =>
              void completed.set(outcome.stepId, JSON.parse(JSON.stringify(outcome))),
          }),
        );
        if (result.status === "Interrupted") continue;
        expect(result.status).toBe(expected);
        if (expected === "Failed") return;
        const started = result.spans.filter(({ status }) => status !== "Skipped");
        expect(started.map(({ id }) => id).toSorted()).toEqual(
          [...ran].flatMap(([place, is]) => (is ? [`s${place}`] : [])),
        );
        const last = steps.filter(
          (_step, place) => !edges.some(([from, , on]) => from === place && !on),
        );
        const outputs = last.flatMap(({ id }) => {
          const place = Number(id.slice(1));
          if (ran.get(place) !== true) return [];
          if (fails[place] === true)
            return "onError" in (steps[place] ?? {}) ? [[id, `no ${place}`]] : [];
          return [[id, place]];
        });
        expect(result.output).toEqual(
          outputs.length === 0
            ? null
            : last.length === 1
              ? outputs[0]?.[1]
              : Object.fromEntries(outputs),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("error edges count in cycles, and one of each kind may connect two steps", () => {
  const steps = [failing("a"), failing("b")];
  const cyclic = compileFlow({ steps, edges: [onError("a", "b"), { source: "b", target: "a" }] });
  expect(cyclic).toMatchObject({
    ok: false,
    errors: [{ detail: "The edges form a cycle: a → b → a." }],
  });
  const both = { steps, edges: [onError("a", "b"), { source: "a", target: "b" }] };
  expect(compileFlow(both).ok).toBe(true);
  const twice = { steps, edges: [onError("a", "b"), onError("a", "b")] };
  expect(compileFlow(twice)).toMatchObject({ ok: false, errors: [{ pointer: "/edges/1" }] });
});
