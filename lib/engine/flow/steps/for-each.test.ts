import { describe, expect, test } from "vitest";
import {
  compiled,
  depsWithModel,
  flowOptions,
  run,
  textResult,
  toolsWith,
} from "../../../../test/harness/flow.ts";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { StepError } from "../../step-error.ts";
import { ToolError, type ToolParameters } from "../../tools/tool.ts";
import { checkFlow } from "../compile-flow.ts";
import type { FlowEvent, StepOutcome } from "../flow-result.ts";
import { runFlow } from "../run-flow.ts";

const loop = (items: unknown, step: unknown, more: object = {}) => ({
  id: "each",
  type: "ForEach",
  items,
  step,
  ...more,
});
const value = (template: unknown) => ({ type: "Transform", value: template });
const tool = (text: string, more: object = {}) => ({
  type: "Tool",
  integrationId: "test",
  toolId: "tool",
  parameters: { text },
  ...more,
});
const withTool = (work: (text: string, signal: AbortSignal) => Promise<string>) => ({
  ...flowOptions().deps,
  tools: {
    ...toolsWith(({ text = "" }: ToolParameters, { signal }) => work(text, signal)),
  },
  sleep: (ms: number, signal: AbortSignal) =>
    ms < 50_000
      ? Promise.resolve()
      : new Promise<void>((done) => signal.addEventListener("abort", () => done())),
});

describe("items", () => {
  test("run the step with item and index; the outputs are in the items' order", async () => {
    const step = value({ at: "{% index %}", is: "{% item.name %}", of: "{% input.of %}" });
    const result = await run([loop("{% input.list %}", step)], [], {
      input: { list: [{ name: "a" }, { name: "b" }], of: 2 },
    });
    expect(result.output).toEqual([
      { at: 0, is: "a", of: 2 },
      { at: 1, is: "b", of: 2 },
    ]);
  });

  test.each([
    ["an array in the flow", [1, "{% 1 + 1 %}"], [1, 2]],
    ["an empty list", "{% [] %}", []],
    ["nothing, as JSONata gives for no match", "{% input.none %}", []],
    ["one value, as JSONata gives for one match", "{% [1, 2, 3][$ > 2] %}", [3]],
    ["nulls", [null, null], [null, null]],
  ])("may be %s", async (_name, items, output) => {
    expect((await run([loop(items, value("{% item %}"))])).output).toEqual(output);
  });

  test("of an inner ForEach have their own item and index", async () => {
    const inner = { type: "ForEach", items: "{% item %}", step: value("{% [index, item] %}") };
    const result = await run([loop([[7, 8], [9]], inner)]);
    expect(result.output).toEqual([
      [
        [0, 7],
        [1, 8],
      ],
      [[0, 9]],
    ]);
  });

  test("finish in any order, at most `concurrency` concurrently, and keep their order in the output", async () => {
    let now = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const deps = withTool(async (text) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((done) => {
        waiting.push(done);
        // The last of three is released first.
        if (now === 3 || text >= "d") for (const go of waiting.splice(0).reverse()) go();
      });
      now -= 1;
      return text.toUpperCase();
    });
    const items = ["a", "b", "c", "d", "e"];
    const result = await run([loop(items, tool("{% item %}"), { concurrency: 3 })], [], { deps });
    expect(result.output).toEqual(["A", "B", "C", "D", "E"]);
    expect(most).toBe(3);
  });

  test("are seen by expressions only once it is their turn", async () => {
    const deps = withTool(async (text) => text);
    const items = ["a", "b"];
    const step = tool("{% item = 'b' ? $error('second') : item %}");
    const started: string[] = [];
    const result = await run([loop(items, step)], [], {
      deps,
      emit: (event) => void (event.type === "step.completed" && started.push(event.stepId)),
    });
    expect(started).toEqual(["each/0"]);
    expect(result).toMatchObject({ status: "Failed", error: { step: "each" } });
    expect(result.error?.detail).toContain("Item 1: The expression");
  });

  test("have spans with their index and the tool that they call, also where the call fails", async () => {
    const tool = { type: "Tool", integrationId: "system", toolId: "calculate" };
    const step = { ...tool, parameters: { expression: "{% item %}" } };
    const { spans } = await run([loop(["1", "1 +"], step, { onItemError: "collect" })]);
    expect(spans.map(({ id, index, tool: called, status }) => [id, index, called, status])).toEqual(
      [
        ["each/0", 0, "system/calculate", "Succeeded"],
        ["each/1", 1, "system/calculate", "Failed"],
        ["each", undefined, undefined, "Succeeded"],
      ],
    );
  });

  test("emit events like steps, with spans below that of the ForEach", async () => {
    const events: FlowEvent[] = [];
    const deps = depsWithModel(async ({ onDelta }) => {
      onDelta?.("hi");
      return textResult("hi");
    });
    const step = { id: "ask", type: "Prompt", llm: { providerId: "test" }, prompt: "{% item %}" };
    const result = await run([loop(["x"], step, { name: "All" })], [], {
      deps,
      emit: (event) => events.push(event),
    });
    expect(events.map(({ type, stepId }) => `${type} ${stepId}`)).toEqual([
      "step.started each",
      "step.started each/0",
      "output.delta each/0",
      "step.completed each/0",
      "step.completed each",
    ]);
    const shown = result.spans.map(({ id, parentId, stepId, name, type, index }) => [
      id,
      parentId,
      stepId,
      name,
      type,
      index,
    ]);
    expect(shown).toEqual([
      ["each/0", "each", "each/0", "ask", "Prompt", 0],
      ["each/0/1", "each/0", "each/0", "m", "Model", 0],
      ["each", null, "each", "All", "ForEach", undefined],
    ]);
    expect(result.usage).toMatchObject([{ tokens: { inputTokens: 3 }, cost: { totalCost: 10 } }]);
  });
});

describe("an item that fails", () => {
  const failing = (error: Error) =>
    withTool(async (text) => {
      if (text === "bad") throw error;
      return text;
    });
  const items = ["a", "bad", "c"];
  const broken = new UpstreamError("It broke.", { upstream: "api", upstreamStatus: 503 });

  test("fails the step, and no more items are started", async () => {
    const original = new Error("secret");
    const result = await run([loop(items, tool("{% item %}"))], [], { deps: failing(broken) });
    expect(result).toMatchObject({
      status: "Failed",
      error: {
        slug: "upstream-failed",
        step: "each",
        detail: "Item 1: It broke.",
        upstream: "api",
        upstreamStatus: 503,
      },
    });
    expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "each/0 Succeeded",
      "each Failed",
      "each/1 Failed",
    ]);
    const unexpected = await run([loop(items, tool("{% item %}"))], [], {
      deps: failing(original),
    });
    expect(JSON.stringify(unexpected)).not.toContain("secret");
    expect(unexpected.error?.cause).toMatchObject({ cause: original });
  });

  test("aborts the running ones and cancels their spans", async () => {
    const deps = withTool((text, signal) =>
      text === "bad"
        ? Promise.reject(broken)
        : new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
    );
    const step = loop(["slow", "bad"], tool("{% item %}"), { concurrency: 2 });
    const result = await run([step], [], { deps });
    expect(result.spans.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
      "each Failed",
      "each/0 Cancelled",
      "each/1 Failed",
    ]);
  });

  test("is in the output when failures are collected", async () => {
    const step = loop(items, tool("{% item %}"), { onItemError: "collect" });
    const result = await run([step], [], { deps: failing(new ToolError("Bad text.")) });
    expect(result.output).toEqual([
      "a",
      { error: { slug: "execution-failed", detail: "Bad text." } },
      "c",
    ]);
  });

  test("by a spent budget is not collected and not tried again", async () => {
    let calls = 0;
    const deps = withTool(async () => {
      calls += 1;
      throw new StepError("budget-exceeded", "The budget is spent.");
    });
    const retry = { maxAttempts: 3, on: ["execution-failed", "upstream-failed"] };
    const inner = tool("{% item %}", { retry });
    const result = await run([loop(items, inner, { onItemError: "collect", retry })], [], { deps });
    expect(result.error).toMatchObject({ slug: "budget-exceeded", step: "each" });
    expect(calls).toBe(1);
  });

  test("is tried again by the inner step's retry, for itself", async () => {
    let failures = 0;
    const deps = withTool(async (text) => {
      if (text === "bad" && failures++ < 2) throw broken;
      return text;
    });
    const inner = tool("{% item %}", { retry: { maxAttempts: 3 } });
    const result = await run([loop(items, inner)], [], { deps });
    expect(result.output).toEqual(items);
    expect(result.spans.map(({ id }) => id)).toEqual([
      "each/0",
      "each/1",
      "each/1#2",
      "each/1#3",
      "each/2",
      "each",
    ]);
  });

  test("is tried again by the ForEach's retry, and finished items are not", async () => {
    const asked: string[] = [];
    const deps = withTool(async (text) => {
      asked.push(text);
      if (text === "bad" && asked.length < 3) throw broken;
      return text;
    });
    const outcomes: StepOutcome[] = [];
    const step = loop(items, tool("{% item %}"), { retry: { maxAttempts: 2 } });
    const result = await run([step], [], {
      deps,
      onStepCompleted: async (outcome) => void outcomes.push(outcome),
    });
    expect(result.output).toEqual(items);
    expect(asked).toEqual(["a", "bad", "bad", "c"]);
    const ids = outcomes.map(({ stepId, spans }) => [stepId, ...spans.map(({ id }) => id)]);
    expect(ids).toEqual([
      ["each/0", "each/0"],
      ["each/1", "each#2/1"],
      ["each/2", "each#2/2"],
      ["each", "each", "each/1", "each#2"],
    ]);
    expect(result.spans.find(({ id }) => id === "each#2/1")).toMatchObject({ parentId: "each#2" });
  });
});

describe("limits", () => {
  test("every item counts as a run of a step, and too many are refused before the first", async () => {
    const asked: string[] = [];
    const deps = withTool(async (text) => {
      asked.push(text);
      return text;
    });
    const limits = { maxStepRuns: 3 };
    const flow = (items: string[]) => [loop(items, tool("{% item %}"), { onItemError: "collect" })];
    expect(await run(flow(["a", "b"]), [], { deps, limits })).toMatchObject({ output: ["a", "b"] });
    asked.length = 0;
    const result = await run(flow(["a", "b", "c"]), [], { deps, limits });
    expect(result.error?.detail).toBe("The flow exceeds 3 runs of steps.");
    expect(asked).toEqual([]);
  });

  test("attempts at items count, and running out of them is not collected", async () => {
    const deps = withTool(() => Promise.reject(new ToolError("Bad.")));
    const inner = tool("x", { retry: { maxAttempts: 5, on: ["execution-failed"] } });
    const step = loop([1, 2], inner, { onItemError: "collect" });
    const result = await run([step], [], { deps, limits: { maxStepRuns: 8 } });
    expect(result).toMatchObject({ status: "Failed", error: { step: "each" } });
    expect(result.error?.detail).toContain("exceeds 8 runs");
  });

  test("the outputs of items count as state while the step runs", async () => {
    const asked: string[] = [];
    const deps = withTool(async (text) => {
      asked.push(text);
      return "x".repeat(600);
    });
    const result = await run([loop(["a", "b", "c"], tool("{% item %}"))], [], {
      deps,
      limits: { maxStateBytes: 1_000 },
    });
    expect(result.error?.detail).toContain("larger than 1000 bytes");
    expect(asked).toEqual(["a", "b"]);
    expect(
      (await run([loop(["a"], tool("x"))], [], { deps, limits: { maxStateBytes: 1_000 } })).status,
    ).toBe("Succeeded");
  });

  test("collected failures count as state, too", async () => {
    const deps = withTool(() => Promise.reject(new ToolError("x".repeat(600))));
    const step = loop([1, 2, 3], tool("x"), { onItemError: "collect" });
    const result = await run([step], [], { deps, limits: { maxStateBytes: 1_000 } });
    expect(result.spans.map(({ id }) => id)).toEqual(["each/0", "each/1", "each"]);
    expect(result.error?.detail).toContain("larger than 1000 bytes");
  });

  test("no more than 10,000 items", async () => {
    const items = Array.from({ length: 10_001 }, () => 1);
    expect((await run([loop(items, value(1))])).error?.detail).toContain("at most 10000");
  });

  test("timeoutSeconds of the inner step is an item's, that of the ForEach is for all", async () => {
    let startGate = Promise.withResolvers<void>();
    const sleep = (ms: number, signal: AbortSignal) =>
      ms <= 7_000
        ? startGate.promise
        : new Promise<void>((done) => signal.addEventListener("abort", () => done()));
    const forever = () => {
      startGate.resolve();
      return new Promise<never>(() => {});
    };
    const deps = { ...withTool(forever), sleep };
    const ofItem = await run([loop([1], tool("x", { timeoutSeconds: 7 }))], [], { deps });
    expect(ofItem.error).toMatchObject({
      slug: "upstream-timeout",
      detail: "Item 0: The step did not finish within 7 s.",
    });
    startGate = Promise.withResolvers<void>();
    const ofAll = await run([loop([1], tool("x"), { timeoutSeconds: 5 })], [], { deps });
    expect(ofAll.error).toMatchObject({
      slug: "upstream-timeout",
      detail: "The step did not finish within 5 s.",
    });
    expect(ofAll.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "each Failed",
      "each/0 Cancelled",
    ]);
  });
});

describe("going on", () => {
  test("repeats no finished item, collected failures included, and counts its runs and usage", async () => {
    const outcomes = new Map<string, StepOutcome>();
    const asked: string[] = [];
    const deps = depsWithModel(async ({ messages: [first] }) => {
      const text = first?.role === "user" ? first.text : "";
      asked.push(text);
      if (text === "bad") throw new UpstreamError("No.", { upstream: "m", upstreamStatus: 500 });
      return textResult(text);
    });
    const ask = { type: "Prompt", llm: { providerId: "test" }, prompt: "{% item %}" };
    const flow = compiled([loop(["a", "bad", "c"], ask, { onItemError: "collect" })]);
    const onStepCompleted = async (outcome: StepOutcome) =>
      void outcomes.set(outcome.stepId, JSON.parse(JSON.stringify(outcome)));
    const first = await runFlow(flow, flowOptions({ deps, onStepCompleted }));
    outcomes.delete("each");
    outcomes.delete("each/2");
    const second = await runFlow(flow, flowOptions({ deps, completed: outcomes }));
    expect(asked).toEqual(["a", "bad", "c", "c"]);
    expect(second.output).toEqual(first.output);
    expect(second.usage).toEqual(first.usage);
    const limited = (maxStepRuns: number) =>
      runFlow(flow, flowOptions({ deps, completed: outcomes, limits: { maxStepRuns } }));
    expect((await limited(3)).error?.detail).toContain("exceeds 3 runs");
    expect((await limited(4)).status).toBe("Succeeded");
  });

  test("an item's checkpoint that can't be written ends the run with that error", async () => {
    const failure = new Error("no storage");
    const running = run([loop([1, 2], value(1), { onItemError: "collect" })], [], {
      onStepCompleted: () => Promise.reject(failure),
    });
    await expect(running).rejects.toBe(failure);
  });
});

describe("checking", () => {
  const findErrorPointers = async (step: object) => {
    const result = await checkFlow({ steps: [step] }, {}, testProcessor(60_000));
    return result.ok ? [] : result.errors.map(({ pointer }) => pointer);
  };

  test("reports errors of the inner step with their pointers", async () => {
    expect(await findErrorPointers(loop([], { type: "Output", value: 1 }))).toEqual([
      "/steps/0/step/type",
    ]);
    expect(await findErrorPointers(loop([], { type: "Condition", cases: [] }))).toEqual([
      "/steps/0/step/type",
    ]);
    expect(await findErrorPointers(loop([], 5))).toEqual(["/steps/0/step"]);
    expect(await findErrorPointers(loop([], value("{% 1 + %}")))).toEqual(["/steps/0/step/value"]);
    expect(await findErrorPointers(loop([], value("{% steps.each.output %}")))).toEqual([
      "/steps/0/step/value",
    ]);
    expect(
      await findErrorPointers(loop(5, { type: "Prompt", prompt: 1 }, { concurrency: 11 })),
    ).toEqual(["/steps/0/items", "/steps/0/concurrency"]);
  });

  test("allows three ForEach in one another, and no more", async () => {
    const nested = (depth: number): object =>
      depth === 0 ? value(1) : { type: "ForEach", items: [1], step: nested(depth - 1) };
    expect(await findErrorPointers({ id: "a", ...nested(3) })).toEqual([]);
    expect(await findErrorPointers({ id: "a", ...nested(4) })).toEqual([
      "/steps/0/step/step/step/step",
    ]);
  });
});
