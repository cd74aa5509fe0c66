import { describe, expect, test } from "vitest";
import { compiled, flowOptions, run, toolsWith } from "../../../../test/harness/flow.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { checkFlow, compileFlow } from "../compile-flow.ts";
import type { StepOutcome } from "../flow-result.ts";
import { runFlow } from "../run-flow.ts";
import type { OpenWait, WaitEnd, Waits } from "../waits.ts";

const pause = { id: "pause", type: "Wait", seconds: 60 };
const event = { webhookId: "0193f0a0-7c4b-7000-8000-000000000002" };
const value = (id: string, template: unknown) => ({ id, type: "Transform", value: template });
const tool = (id: string) => ({ id, type: "Tool", integrationId: "test", toolId: "tool" });

/** Waits that end when `end` is called, or never. */
const waitsWith = (ended: Record<string, WaitEnd> = {}) => {
  const opened: OpenWait[] = [];
  const ends = new Map<string, (end: WaitEnd) => void>();
  const waits: Waits = {
    ended: new Map(Object.entries(ended)),
    opened: new Map(),
    findEarly: async () => undefined,
    enter: () => undefined,
    leave: () => {},
    open: (wait) => {
      opened.push(wait);
      return new Promise((resolve) => ends.set(wait.path, resolve));
    },
    reopen: (path) => new Promise((resolve) => ends.set(path, resolve)),
  };
  return { opened, waits, end: (path: string, end: WaitEnd) => ends.get(path)?.(end) };
};

describe("a flow with a wait", () => {
  test("waits when nothing else can run, and has no span of the wait", async () => {
    const { opened, waits } = waitsWith();
    const steps = [value("first", 1), pause, value("after", 2)];
    const result = await run(steps, ["first>pause", "pause>after"], { waits });
    expect(result).toMatchObject({ status: "Waiting", output: null, error: null });
    expect(result.spans.map(({ id }) => id)).toEqual(["first"]);
    expect(opened).toEqual([
      { kind: "Timer", path: "pause", stepId: "pause", until: expect.any(Number) },
    ]);
  });

  test("continues after the wait has ended, and the span of the wait begins with it", async () => {
    const waits = waitsWith({ pause: { since: 7, at: 60_000 } }).waits;
    const steps = [pause, value("after", "{% steps.pause.output.waitedUntil %}")];
    const result = await run(steps, ["pause>after"], { waits });
    expect(result).toMatchObject({ status: "Succeeded", output: "1970-01-01T00:01:00.000Z" });
    expect(result.spans[0]).toMatchObject({ id: "pause", startTime: 7, status: "Succeeded" });
  });

  test("runs its other branches to their end first, and continues after a wait that ends in the meantime", async () => {
    const { waits, end } = waitsWith();
    const held = Promise.withResolvers<string>();
    const deps = { ...flowOptions().deps, tools: toolsWith(() => held.promise) };
    const done: string[] = [];
    const steps = [pause, value("after", 1), tool("slow"), value("last", 2)];
    const edges = ["pause>after", "slow>last", "after>last"];
    const running = run(steps, edges, {
      deps,
      waits,
      emit: (event) => {
        if (event.type === "step.started" && event.stepId === "slow") {
          setImmediate(() => end("pause", { since: 1, at: 2 }));
        }
        if (event.type === "step.completed") done.push(event.stepId);
        if (done.at(-1) === "after") held.resolve("x");
      },
    });
    expect(await running).toMatchObject({ status: "Succeeded", output: 2 });
    expect(done).toEqual(["pause", "after", "slow", "last"]);
  });

  test("fails, and does not wait, when another branch fails", async () => {
    const { waits } = waitsWith();
    const result = await run([pause, value("bad", "{% $error('no') %}")], [], { waits });
    expect(result).toMatchObject({ status: "Failed", error: { step: "bad" } });
  });

  test("ends with its Output, and does not wait for another branch", async () => {
    const { waits } = waitsWith();
    const steps = [pause, { id: "out", type: "Output", value: 1 }];
    expect(await run(steps, [], { waits })).toMatchObject({ status: "Succeeded", output: 1 });
  });

  test("is interrupted, and not waiting, when it is handed over", async () => {
    const handOver = new AbortController();
    const { waits } = waitsWith();
    const result = run([pause], [], {
      waits: {
        ...waits,
        open: (wait, over) => {
          handOver.abort();
          return waits.open(wait, over);
        },
      },
      handOver: handOver.signal,
    });
    expect(await result).toMatchObject({ status: "Interrupted" });
  });

  test("fails where nothing can be waited for", async () => {
    expect(await run([pause])).toMatchObject({
      status: "Failed",
      error: { slug: "execution-failed", detail: "Nothing can be waited for here.", step: "pause" },
    });
  });
});

test("items of a ForEach that wait do not delay the others, and only they run again", async () => {
  const { opened, waits } = waitsWith();
  const inner = { type: "Wait", until: "{% item %}" };
  const later = "1970-01-01T01:00:00Z";
  const flow = compiled([
    { id: "each", type: "ForEach", items: [later, "1970-01-01T00:00:00Z"], step: inner },
  ]);
  const outcomes = new Map<string, StepOutcome>();
  const onStepCompleted = async (outcome: StepOutcome) =>
    void outcomes.set(outcome.stepId, outcome);
  const first = await runFlow(flow, flowOptions({ waits, onStepCompleted }));
  expect(first).toMatchObject({ status: "Waiting" });
  expect(opened.map(({ path }) => path)).toEqual(["each/0"]);
  expect([...outcomes.keys()]).toEqual(["each/1"]);
  const ended = waitsWith({ "each/0": { since: 1, at: Date.parse(later) } });
  const second = await runFlow(flow, flowOptions({ waits: ended.waits, completed: outcomes }));
  expect(second).toMatchObject({
    status: "Succeeded",
    output: [
      { waitedUntil: "1970-01-01T01:00:00.000Z" },
      { waitedUntil: "1970-01-01T00:00:00.000Z" },
    ],
  });
  expect(ended.opened).toEqual([]);
});

test("an event is requested with the type, the lookback, and only the values that its match names", async () => {
  const { opened, waits } = waitsWith();
  const match = "payload.id = steps.first.output and payload.n = input.n";
  const steps = [
    value("first", 1),
    value("other", 2),
    { id: "wait", type: "Wait", event: { ...event, match } },
  ];
  await run(steps, ["first>wait", "other>wait"], { waits, input: { n: 1 } });
  expect(opened).toMatchObject([
    {
      kind: "Event",
      event: {
        ...event,
        eventTypes: null,
        match: `{% ${match} %}`,
        scope: { input: { n: 1 }, steps: { first: { output: 1 } } },
        lookbackSeconds: 300,
      },
    },
  ]);
  const [request] = opened;
  if (request?.kind === "Event")
    expect(Object.keys(request.event.scope.steps ?? {})).toEqual(["first"]);
});

test("a match is checked as other expressions are, when the flow is created", async () => {
  const check = (match: string) =>
    checkFlow(
      { steps: [{ id: "wait", type: "Wait", event: { ...event, match } }], edges: [] },
      { declared: ["order"] },
      testProcessor(),
    );
  for (const match of ["payload.(", "payload.id = steps.gone.output", "payload.id = input.ordr"]) {
    const pointer = "/steps/0/event/match";
    expect(await check(match)).toMatchObject({ ok: false, errors: [{ pointer }] });
  }
  expect(await check("payload.id = input.order")).toMatchObject({ ok: true });
});

test("an event may take a year", () => {
  const check = (timeoutSeconds: number) =>
    compileFlow({ steps: [{ id: "wait", type: "Wait", event, timeoutSeconds }], edges: [] }).ok;
  expect([59, 60, 31_536_000, 31_536_001].map(check)).toEqual([false, true, true, false]);
});

test.each([
  ["a time that has passed", { until: "1970-01-01T00:00:00Z" }, { status: "Succeeded" }],
  [
    "text that is no time",
    { until: "tomorrow" },
    { error: { detail: expect.stringContaining("must be a time") } },
  ],
  [
    "a time in two years",
    { until: "1972-01-01T00:00:00Z" },
    { error: { detail: expect.stringContaining("a year away") } },
  ],
  [
    "seconds that are no number",
    { seconds: "{% 'x' %}" },
    { error: { detail: expect.stringContaining('"seconds" must be a number') } },
  ],
])("%s", async (_name, members, expected) => {
  const { opened, waits } = waitsWith();
  expect(await run([{ id: "pause", type: "Wait", ...members }], [], { waits })).toMatchObject(
    expected,
  );
  expect(opened).toEqual([]);
});

test.each([
  [{}, ""],
  [{ seconds: 1, until: "2030-01-01T00:00:00Z" }, "/until"],
  [{ seconds: 0 }, "/seconds"],
  [{ seconds: 40_000_000 }, "/seconds"],
  [{ seconds: 1, event }, "/event"],
  [{ event, callback: true }, "/callback"],
  [{ event: {} }, "/event/webhookId"],
  [{ event: { webhookId: "github" } }, "/event/webhookId"],
  [{ event: { ...event, lookbackSeconds: 2_592_001 } }, "/event/lookbackSeconds"],
  [{ event: { ...event, lookbackSeconds: -1 } }, "/event/lookbackSeconds"],
  [{ event: { ...event, eventTypes: [] } }, "/event/eventTypes"],
  [{ event, onTimeout: "approve" }, "/onTimeout"],
])("a step with %j is refused at %j", (members, pointer) => {
  const result = compileFlow({ steps: [{ id: "pause", type: "Wait", ...members }], edges: [] });
  expect(result).toMatchObject({ ok: false, errors: [{ pointer: `/steps/0${pointer}` }] });
});
