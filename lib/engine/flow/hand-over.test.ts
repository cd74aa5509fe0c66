import { expect, test } from "vitest";
import { depsWithModel, flowOptions, run, toolsWith } from "../../../test/harness/flow.ts";
import type { StepOutcome } from "./flow-result.ts";

const forever = () => new Promise<never>(() => {});
const ask = { id: "ask", type: "Prompt", prompt: "x", llm: { providerId: "test" } };
const tool = (id: string) => ({ id, type: "Tool", integrationId: "test", toolId: "tool" });

test("a hand-over aborts the running steps and starts no other", async () => {
  const handOver = new AbortController();
  const signals: AbortSignal[] = [];
  const deps = depsWithModel(({ signal }) => {
    signals.push(signal);
    handOver.abort();
    return forever();
  });
  const after = { id: "after", type: "Transform", value: 1 };
  const result = await run([ask, after], ["ask>after"], { deps, handOver: handOver.signal });
  expect(result).toMatchObject({ status: "Interrupted", output: null, error: null });
  expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "ask Cancelled",
    "ask/1 Cancelled",
  ]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("one before the start starts no step", async () => {
  const result = await run([ask], [], { handOver: AbortSignal.abort() });
  expect(result).toMatchObject({ status: "Interrupted", spans: [] });
});

test("a step that finishes during the hand-over is kept, and the run waits for its checkpoint", async () => {
  const handOver = new AbortController();
  const kept: StepOutcome[] = [];
  const steps = ["a", "b"].map((id) => ({ id, type: "Transform", value: "done" }));
  const result = await run(steps, ["a>b"], {
    handOver: handOver.signal,
    emit: ({ type }) => type === "step.started" && handOver.abort(),
    onStepCompleted: async (outcome) => {
      await new Promise((done) => setImmediate(done));
      kept.push(outcome);
    },
  });
  expect(result.status).toBe("Interrupted");
  expect(kept).toMatchObject([{ stepId: "a", output: "done" }]);
});

test("the checkpoint of an item that has finished is waited for", async () => {
  const handOver = new AbortController();
  const kept: string[] = [];
  const loop = {
    id: "each",
    type: "ForEach",
    items: [1, 2],
    concurrency: 2,
    step: tool("inner"),
  };
  let calls = 0;
  const tools = toolsWith(() => {
    calls += 1;
    return calls === 1 ? Promise.resolve("done") : forever();
  });
  const result = await run([loop], [], {
    deps: { ...flowOptions().deps, tools },
    handOver: handOver.signal,
    onStepCompleted: async ({ stepId }) => {
      handOver.abort();
      await new Promise((done) => setImmediate(done));
      kept.push(stepId);
    },
  });
  expect(result.status).toBe("Interrupted");
  expect(kept).toEqual(["each/0"]);
  expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "each/0 Succeeded",
    "each Cancelled",
    "each/1 Cancelled",
  ]);
});

test("is noticed between expressions that follow one another", { tags: "nightly" }, async () => {
  const handOver = new AbortController();
  setTimeout(() => handOver.abort(), 0);
  const items = Array.from({ length: 300 }, (_, at) => at);
  const step = { type: "Transform", value: "{% $sum([1..20000].($ * 2)) %}" };
  const result = await run([{ id: "each", type: "ForEach", items, step }], [], {
    handOver: handOver.signal,
  });
  expect(result.status).toBe("Interrupted");
});

test("a cancel wins over a hand-over, in either order", async () => {
  for (const order of [
    ["cancel", "handOver"],
    ["handOver", "cancel"],
  ]) {
    const stops = { cancel: new AbortController(), handOver: new AbortController() };
    const deps = depsWithModel(() => {
      for (const name of order) stops[name === "cancel" ? "cancel" : "handOver"].abort();
      return forever();
    });
    const { cancel, handOver } = stops;
    const result = await run([ask], [], { deps, signal: cancel.signal, handOver: handOver.signal });
    expect(result.status).toBe("Cancelled");
  }
});

test("the deadline wins over a hand-over", async () => {
  const handOver = new AbortController();
  let now = 1_000;
  const deps = depsWithModel(
    () => {
      now = 5_000;
      handOver.abort();
      return forever();
    },
    { clock: () => now, sleep: forever },
  );
  const result = await run([ask], [], { deps, handOver: handOver.signal, deadline: 4_000 });
  expect(result).toMatchObject({ status: "TimedOut", error: { slug: "upstream-timeout" } });
  const early = { handOver: AbortSignal.abort(), deadline: 0 };
  expect((await run([ask], [], early)).status).toBe("TimedOut");
});

const completed = {
  message: { role: "assistant", text: "done", toolCalls: [] },
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 },
  finishReason: "stop",
} as const;

test("a drained run finishes the step in progress, starts no waiting one, and resumes after it", async () => {
  const drain = new AbortController();
  const kept = new Map<string, StepOutcome>();
  const asked: boolean[] = [];
  const deps = depsWithModel(({ signal }) => {
    asked.push(signal.aborted);
    drain.abort();
    return Promise.resolve(completed);
  });
  const steps = [ask, { ...ask, id: "again" }];
  const first = await run(steps, ["ask>again"], {
    deps,
    drain: drain.signal,
    onStepCompleted: async (outcome) => void kept.set(outcome.stepId, outcome),
  });
  expect(first).toMatchObject({ status: "Interrupted", output: null, error: null });
  expect([...kept.keys()]).toEqual(["ask"]);
  const second = await run(steps, ["ask>again"], { deps, completed: kept });
  expect(second.status).toBe("Succeeded");
  expect(asked).toEqual([false, false]);
});

test("a drained run without a waiting step ends as usual", async () => {
  const drain = new AbortController();
  const deps = depsWithModel(() => {
    drain.abort();
    return Promise.resolve(completed);
  });
  const out = { id: "out", type: "Output", value: "{% steps.ask.output %}" };
  const result = await run([ask, out], ["ask>out"], { deps, drain: drain.signal });
  expect(result).toMatchObject({ status: "Succeeded", output: "done" });
});

test("a drained ForEach finishes the items in progress and leaves the others, which run once when it is resumed", async () => {
  const drain = new AbortController();
  const kept = new Map<string, StepOutcome>();
  let calls = 0;
  const tools = toolsWith(() => {
    calls += 1;
    drain.abort();
    return Promise.resolve("done");
  });
  const deps = { ...flowOptions().deps, tools };
  const loop = {
    id: "each",
    type: "ForEach",
    items: [1, 2, 3],
    concurrency: 2,
    step: tool("inner"),
  };
  const first = await run([loop], [], {
    deps,
    drain: drain.signal,
    onStepCompleted: async (outcome) => void kept.set(outcome.stepId, outcome),
  });
  expect(first.status).toBe("Interrupted");
  const finished = kept.size;
  expect(finished).toBe(calls);
  expect(finished).toBeLessThan(3);
  const second = await run([loop], [], { deps, completed: kept });
  expect(second).toMatchObject({ status: "Succeeded", output: ["done", "done", "done"] });
  expect(calls).toBe(3);
});
