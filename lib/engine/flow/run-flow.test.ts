import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import {
  compiled,
  depsWithModel,
  flowOptions,
  readPrompt,
  run,
  textResult,
  toolsWith,
  usage,
} from "../../../test/harness/flow.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { GenerateRequest } from "../models/model.ts";
import { ToolError } from "../tools/tool.ts";
import type { FlowEvent, StepOutcome } from "./flow-result.ts";
import { runFlow } from "./run-flow.ts";

const transform = (id: string, value: unknown) => ({ id, type: "Transform", value });
const output = (id: string, value: unknown) => ({ id, type: "Output", value });
const prompt = (id: string, text: string, more: object = {}) => ({
  id,
  type: "Prompt",
  prompt: text,
  ...more,
});
const tool = (id: string, more: object = {}) => ({
  id,
  type: "Tool",
  integrationId: "test",
  toolId: "tool",
  ...more,
});
const useTest = { llm: { providerId: "test", parameters: { model: "m1" } } };

const gate = (): { readonly opened: Promise<void>; open(): void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
};

describe("the output", () => {
  test("of no steps is null", async () => {
    expect(await run([])).toMatchObject({
      status: "Succeeded",
      output: null,
      spans: [],
      usage: [],
    });
  });

  test("is the Output step's value", async () => {
    const result = await run([output("end", "Hello, {% input.name %}!")], [], {
      input: { name: "Ada" },
    });
    expect(result).toMatchObject({ status: "Succeeded", output: "Hello, Ada!", error: null });
  });

  test("without an Output step is the last step's", async () => {
    expect(
      await run([transform("a", 1), transform("b", "{% steps.a.output + 1 %}")], ["a>b"]),
    ).toMatchObject({ output: 2 });
  });

  test("of several last steps is an object by id, without those that were skipped", async () => {
    const steps = [
      {
        id: "if",
        type: "Condition",
        cases: [{ when: "{% input.x %}", target: "yes" }],
        otherwise: "no",
      },
      transform("yes", "y"),
      transform("no", "n"),
      transform("also", 3),
    ];
    const edges = ["if>yes", "if>no"];
    expect((await run(steps, edges, { input: { x: true } })).output).toEqual({ yes: "y", also: 3 });
    expect((await run(steps, edges, { input: { x: false } })).output).toEqual({ no: "n", also: 3 });
  });

  test("sees parameters, trigger and execution", async () => {
    const value = ["{% parameters.p %}", "{% trigger.id %}", "{% execution.agentRevision %}"];
    expect((await run([output("end", value)], [], { parameters: { p: 5 } })).output).toEqual([
      5,
      "key",
      1,
    ]);
  });
});

describe("conditions", () => {
  const choose = (when: unknown) => ({
    id: "if",
    type: "Condition",
    cases: [{ when, target: "yes" }],
    otherwise: "no",
  });

  test.each([
    ["{% [] %}", "no"],
    ["{% '' %}", "no"],
    ["{% 0 %}", "no"],
    ["{% {} %}", "no"],
    ["{% nothing %}", "no"],
    ["{% [0, 0] %}", "no"],
    ["{% [0, 1] %}", "yes"],
    ["{% 'x' %}", "yes"],
    ["{% {'a': 1} %}", "yes"],
    [true, "yes"],
    ["1 = 1", "yes"],
    ["1 = 2", "no"],
  ])("%s leads to %s, as JSONata has it", async (when, target) => {
    const result = await run(
      [choose(when), transform("yes", "yes"), transform("no", "no")],
      ["if>yes", "if>no"],
    );
    expect(result.output).toEqual({ [target]: target });
  });

  test("a target is an edge, also without an explicit edge", async () => {
    const steps = [choose("input.x"), transform("yes", "y"), transform("no", "n")];
    expect((await run(steps, [], { input: { x: true } })).output).toEqual({ yes: "y" });
    expect((await run(steps, [], { input: { x: false } })).output).toEqual({ no: "n" });
  });

  test("the first true case wins; the output is its target", async () => {
    const cases = [
      { when: "{% false %}", target: "a" },
      { when: "{% true %}", target: "b" },
      { when: "{% $error('not reached') %}", target: "a" },
    ];
    const steps = [
      { id: "if", type: "Condition", cases },
      transform("a", 1),
      transform("b", "{% steps.if.output %}"),
    ];
    expect((await run(steps, ["if>a", "if>b"])).output).toEqual({ b: "b" });
  });

  test("without a true case all targets are skipped; the output is null", async () => {
    const steps = [
      { id: "if", type: "Condition", cases: [{ when: false, target: "a" }] },
      transform("a", 1),
      transform("after", 2),
      transform("beside", "{% steps.if.output %}"),
    ];
    const result = await run(steps, ["if>a", "a>after", "if>beside"]);
    expect(result.output).toEqual({ beside: null });
    expect(
      result.spans.filter(({ status }) => status === "Skipped").map(({ stepId }) => stepId),
    ).toEqual(["a", "after"]);
  });

  test("a step runs when one of its sources was not skipped", async () => {
    const steps = [
      choose(true),
      transform("yes", 1),
      transform("no", 2),
      transform("join", "{% $keys(steps) %}"),
    ];
    const result = await run(steps, ["if>yes", "if>no", "yes>join", "no>join"]);
    expect(result.output).toEqual(["if", "yes", "join"].slice(0, 2));
  });
});

describe("running", () => {
  test("steps without a path between them run at the same time", async () => {
    const both = gate();
    let started = 0;
    const deps = depsWithModel(async (request) => {
      started += 1;
      if (started === 2) both.open();
      await both.opened;
      return textResult(readPrompt(request));
    });
    const result = await run([prompt("a", "x", useTest), prompt("b", "y", useTest)], [], { deps });
    expect(result.output).toEqual({ a: "x", b: "y" });
  });

  test("an Output step ends the flow: running steps are aborted and no other starts", async () => {
    const signals: AbortSignal[] = [];
    const asked = gate();
    const model = ({ signal }: GenerateRequest) => {
      signals.push(signal);
      asked.open();
      return new Promise<never>(() => {});
    };
    const tools = toolsWith(() => asked.opened.then(() => null));
    const deps = depsWithModel(model, { tools });
    const steps = [
      prompt("slow", "x", useTest),
      transform("after", 1),
      tool("asked"),
      output("end", "done"),
    ];
    const result = await run(steps, ["slow>after", "asked>end"], { deps });
    expect(result).toMatchObject({ status: "Succeeded", output: "done" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(result.spans.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
      "asked Succeeded",
      "end Succeeded",
      "slow Cancelled",
      "slow/1 Cancelled",
    ]);
  });

  test("emits its events in order", async () => {
    const events: FlowEvent[] = [];
    await run([prompt("ask", "two words"), output("end", "{% steps.ask.output %}")], ["ask>end"], {
      emit: (event) => events.push(event),
    });
    expect(events).toEqual([
      { type: "step.started", stepId: "ask", attempt: 1 },
      { type: "output.delta", stepId: "ask", text: "two" },
      { type: "output.delta", stepId: "ask", text: " words" },
      { type: "step.completed", stepId: "ask", output: "two words" },
      { type: "step.started", stepId: "end", attempt: 1 },
      { type: "step.completed", stepId: "end", output: "two words" },
    ]);
  });

  test("a listener that fails does not harm the flow", async () => {
    const emit = () => {
      throw new Error("connection closed");
    };
    expect(await run([prompt("ask", "hi")], [], { emit })).toMatchObject({
      status: "Succeeded",
      output: "hi",
    });
  });

  test("spans and usage show a model's input and tokens", async () => {
    const deps = depsWithModel(async () => textResult("t"));
    const steps = [
      prompt("a", "{% 1 %}", { ...useTest, system: "be brief", name: "First" }),
      prompt("b", "x", useTest),
    ];
    const result = await run(steps, ["a>b"], { deps });
    expect(result.usage).toEqual([
      {
        providerId: "test",
        priced: true,
        modelId: "m1",
        tokens: { inputTokens: 6, outputTokens: 4, cachedTokens: 2, thinkingTokens: 8 },
        cost: { inputCost: 6, outputCost: 4, cachedCost: 2, thinkingCost: 8, totalCost: 20 },
      },
    ]);
    expect(result.spans[0]).toMatchObject({
      id: "a",
      parentId: null,
      stepId: "a",
      name: "First",
      type: "Prompt",
      status: "Succeeded",
      input: { system: "be brief", prompt: "1" },
      output: "t",
      usage,
      providerId: "test",
      modelId: "m1",
      error: null,
    });
    expect(result.spans[0]?.endTime).toBeGreaterThan(result.spans[0]?.startTime ?? Number.NaN);
  });

  test("a tool gets its parameters as strings, evaluated", async () => {
    const result = await run([
      {
        id: "sum",
        type: "Tool",
        integrationId: "system",
        toolId: "calculate",
        parameters: { expression: "{% $string(20 + 1) %} * 2" },
      },
    ]);
    expect(result).toMatchObject({ output: 42, spans: [{ input: { expression: "21 * 2" } }] });
  });

  test("the default model is the revision's first", async () => {
    const deps = depsWithModel(async ({ model, parameters }) =>
      textResult(`${model} ${parameters.temperature}`),
    );
    const defaultLlm = { providerId: "test", parameters: { model: "m7", temperature: 0 } };
    expect((await run([prompt("a", "x")], [], { deps, defaultLlm })).output).toBe("m7 0");
  });
});

describe("failing", () => {
  test("cancels the rest and keeps usage and spans", async () => {
    const deps = depsWithModel(async ({ messages, signal }) => {
      if (readPrompt({ messages }) === "quick") return textResult("quick");
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    });
    const steps = [
      prompt("quick", "quick", useTest),
      prompt("slow", "slow", useTest),
      transform("bad", "{% $error('no') %}"),
    ];
    const result = await run(steps, ["quick>bad"], { deps });
    expect(result).toMatchObject({
      status: "Failed",
      output: null,
      error: { slug: "execution-failed", step: "bad", detail: expect.stringContaining("no") },
      usage: [{ tokens: { outputTokens: usage.outputTokens } }],
    });
    expect(result.spans.find(({ stepId }) => stepId === "slow")).toMatchObject({
      status: "Cancelled",
      usage: { outputTokens: 0 },
    });
    expect(result.spans.find(({ stepId }) => stepId === "bad")).toMatchObject({
      status: "Failed",
      error: { step: "bad" },
    });
  });

  test("an unknown provider", async () => {
    const result = await run([prompt("a", "x", { llm: { providerId: "nope" } })]);
    expect(result.error).toMatchObject({
      slug: "execution-failed",
      detail: expect.stringContaining('no model provider "nope"'),
    });
  });

  test("an agent without a model fails with advice", async () => {
    const { defaultLlm: _none, ...options } = flowOptions();
    const result = await runFlow(compiled([prompt("a", "x")]), options);
    expect(result.error?.detail).toContain('no "llm" and the revision has no llmConfigs');
  });

  test("a tool's parameter that is no string", async () => {
    const step = {
      id: "t",
      type: "Tool",
      integrationId: "system",
      toolId: "calculate",
      parameters: { expression: "{% 1 + 1 %}" },
    };
    const result = await run([step]);
    expect(result.error?.detail).toBe(
      'The parameter "expression" must be a string, but its expression returns a value of type number: use $string(...).',
    );
  });

  test.each([
    [
      "a service's error",
      new UpstreamError("It broke.", { upstream: "api", upstreamStatus: 503 }),
      { slug: "upstream-failed", detail: "It broke.", upstream: "api", upstreamStatus: 503 },
    ],
    [
      "a service that is late",
      new UpstreamError("Late.", { upstream: "api", timedOut: true }),
      { slug: "upstream-timeout", upstream: "api" },
    ],
    [
      "invalid parameters",
      new ToolError("Bad zone."),
      { slug: "execution-failed", detail: "Bad zone." },
    ],
  ])("%s keeps its words", async (_name, error, expected) => {
    const tools = toolsWith(() => Promise.reject(error));
    const result = await run([tool("t")], [], { deps: { ...flowOptions().deps, tools } });
    expect(result.error).toMatchObject({ ...expected, step: "t" });
  });

  test("an error of an unknown kind shows nothing of itself, but keeps its cause for the log", async () => {
    const original = new Error("password=hunter2");
    const tools = toolsWith(() => Promise.reject(original));
    const result = await run([tool("t")], [], { deps: { ...flowOptions().deps, tools } });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(result.error?.detail).toBe("The step failed unexpectedly.");
    expect(result.error?.cause).toBe(original);
    expect(Object.keys(result.error ?? {})).not.toContain("cause");
  });

  test("all outputs together are limited", async () => {
    const big = "x".repeat(600);
    const result = await run([transform("a", big), transform("b", big)], ["a>b"], {
      limits: { maxStateBytes: 1_000 },
    });
    expect(result).toMatchObject({
      status: "Failed",
      error: { slug: "execution-failed", step: "b" },
    });
    expect(result.error?.detail).toContain("larger than 1000 bytes");
  });

  test("runs of steps are limited", async () => {
    const result = await run([transform("a", 1), transform("b", 2)], ["a>b"], {
      limits: { maxStepRuns: 1 },
    });
    expect(result.error).toMatchObject({
      step: "b",
      detail: "The flow exceeds 1 runs of steps.",
    });
  });

  test("input that is nested too deeply fails the flow and does not break it", async () => {
    const deep = JSON.parse(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`);
    expect(await run([transform("a", 1)], [], { input: deep })).toMatchObject({
      status: "Failed",
      error: { step: null },
    });
  });
});

describe("retrying", () => {
  const failing = (times: number, error: Error) => {
    let calls = 0;
    return toolsWith(async () => {
      calls += 1;
      if (calls <= times) throw error;
      return calls;
    });
  };
  const broken = new UpstreamError("It broke.", { upstream: "api", upstreamStatus: 500 });

  const withSleep = (tools: ReturnType<typeof toolsWith>) => {
    const pauses: number[] = [];
    const sleep = (ms: number, signal: AbortSignal) => {
      if (ms < 50_000) pauses.push(ms);
      // The long ones are time limits, which are never reached here.
      return ms < 50_000
        ? Promise.resolve()
        : new Promise<void>((done) => signal.addEventListener("abort", () => done()));
    };
    return { pauses, deps: { ...flowOptions().deps, tools, sleep } };
  };

  test("tries again with growing pauses", async () => {
    const { pauses, deps } = withSleep(failing(3, broken));
    const events: string[] = [];
    const result = await run([tool("t", { retry: { maxAttempts: 4, backoffSeconds: 2 } })], [], {
      deps,
      emit: (event) =>
        events.push(event.type + ("willRetry" in event ? ` ${event.willRetry}` : "")),
    });
    expect(result).toMatchObject({ status: "Succeeded", output: 4 });
    expect(pauses).toEqual([2_000, 4_000, 8_000]);
    expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "t Failed",
      "t#2 Failed",
      "t#3 Failed",
      "t#4 Succeeded",
    ]);
    expect(events.filter((event) => event === "step.failed true")).toHaveLength(3);
  });

  test("fails after the last attempt", async () => {
    const { deps } = withSleep(failing(9, broken));
    const result = await run([tool("t", { retry: { maxAttempts: 2 } })], [], { deps });
    expect(result).toMatchObject({
      status: "Failed",
      error: { slug: "upstream-failed", upstreamStatus: 500 },
    });
    expect(result.spans).toHaveLength(2);
  });

  test("does not retry an error that would recur, unless `on` names it", async () => {
    const own = new ToolError("Bad.");
    const first = withSleep(failing(1, own));
    expect(
      await run([tool("t", { retry: { maxAttempts: 3 } })], [], { deps: first.deps }),
    ).toMatchObject({ status: "Failed" });
    const second = withSleep(failing(1, own));
    const retry = { maxAttempts: 3, on: ["execution-failed"] };
    expect(await run([tool("t", { retry })], [], { deps: second.deps })).toMatchObject({
      status: "Succeeded",
    });
  });
});

describe("stopping", () => {
  const forever = () => new Promise<never>(() => {});

  test("a step that takes too long is an upstream's timeout", async () => {
    const sleep = (ms: number, signal: AbortSignal) =>
      ms === 7_000
        ? Promise.resolve()
        : new Promise<void>((done) => signal.addEventListener("abort", () => done()));
    const deps = depsWithModel(forever, { sleep });
    const result = await run([prompt("a", "x", { ...useTest, timeoutSeconds: 7 })], [], { deps });
    expect(result).toMatchObject({
      status: "Failed",
      error: { slug: "upstream-timeout", step: "a", detail: "The step did not finish within 7 s." },
    });
  });

  test("the deadline ends the flow as timed out", async () => {
    const sleep = (ms: number, signal: AbortSignal) =>
      ms < 50_000
        ? Promise.resolve()
        : new Promise<void>((done) => signal.addEventListener("abort", () => done()));
    const deps = depsWithModel(forever, { sleep });
    const result = await run([prompt("a", "x", useTest)], [], { deps, deadline: 11_000 });
    expect(result).toMatchObject({
      status: "TimedOut",
      output: null,
      error: { slug: "upstream-timeout", step: "a" },
    });
  });

  test("a deadline that is over starts nothing", async () => {
    const result = await run([transform("a", 1)], [], { deadline: 0 });
    expect(result).toMatchObject({ status: "TimedOut", spans: [] });
  });

  test("the caller's signal cancels", async () => {
    const caller = new AbortController();
    const deps = depsWithModel(() => {
      caller.abort();
      return forever();
    });
    const result = await run([prompt("a", "x", useTest), transform("b", 1)], ["a>b"], {
      deps,
      signal: caller.signal,
    });
    expect(result).toMatchObject({
      status: "Cancelled",
      output: null,
      error: null,
      spans: [
        { id: "a", status: "Cancelled" },
        { id: "a/1", status: "Cancelled" },
      ],
    });
  });

  test("a signal that was aborted before starts nothing", async () => {
    expect(await run([transform("a", 1)], [], { signal: AbortSignal.abort() })).toMatchObject({
      status: "Cancelled",
      spans: [],
    });
  });

  test("leaves no timers and no listeners, and ignores late results", async () => {
    const caller = new AbortController();
    const late = gate();
    const events: FlowEvent[] = [];
    const deps = depsWithModel(async ({ onDelta }) => {
      await late.opened;
      onDelta?.("too late");
      throw new Error("too late");
    });
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    const result = await run([prompt("slow", "x", useTest), output("end", 1)], [], {
      deps,
      signal: caller.signal,
      emit: (event) => events.push(event),
    });
    const received = events.length;
    late.open();
    await Promise.resolve();
    expect(result.status).toBe("Succeeded");
    expect(timers()).toBeLessThanOrEqual(before);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
    expect(events).toHaveLength(received);
  });
});

describe("going on from a checkpoint", () => {
  test("repeats no finished step and counts its usage", async () => {
    const outcomes = new Map<string, StepOutcome>();
    const asked: string[] = [];
    const deps = depsWithModel(async (request) => {
      const text = readPrompt(request);
      asked.push(text);
      return textResult(`${text}!`);
    });
    const steps = [
      prompt("a", "a", useTest),
      prompt("b", "{% steps.a.output %}b", useTest),
      output("end", "{% steps.b.output %}"),
    ];
    const edges = ["a>b", "b>end"];
    const onStepCompleted = async (outcome: StepOutcome) =>
      void outcomes.set(outcome.stepId, JSON.parse(JSON.stringify(outcome)));
    const first = await run(steps, edges, { deps, onStepCompleted });
    outcomes.delete("b");
    outcomes.delete("end");
    const second = await run(steps, edges, { deps, completed: outcomes });
    expect(asked).toEqual(["a", "a!b", "a!b"]);
    expect(second.output).toEqual(first.output);
    expect(second.usage).toEqual(first.usage);
  });

  test("a finished Output step ends the flow immediately", async () => {
    const completed = new Map([["end", { stepId: "end", output: 5, spans: [] }]]);
    expect(await run([output("end", "{% $error('again') %}")], [], { completed })).toMatchObject({
      status: "Succeeded",
      output: 5,
    });
  });

  test("finished steps that the flow does not have count for nothing", async () => {
    const first = await run([transform("gone", 1)]);
    const completed = new Map([["gone", { stepId: "gone", output: 1, spans: first.spans }]]);
    const result = await run([transform("a", 2)], [], { completed });
    expect(result).toMatchObject({ output: 2, spans: [{ id: "a" }] });
    expect(result.spans).toHaveLength(1);
  });

  test("steps start only once the ones before are checkpointed", async () => {
    const saved: string[] = [];
    const seen: string[][] = [];
    const tools = toolsWith(async () => {
      seen.push([...saved]);
      return null;
    });
    await run([transform("a", 1), tool("b")], ["a>b"], {
      deps: { ...flowOptions().deps, tools },
      onStepCompleted: async ({ stepId }) => void saved.push(stepId),
    });
    expect(seen).toEqual([["a"]]);
  });

  test("a checkpoint that can't be written ends the run with that error", async () => {
    const failure = new Error("no storage");
    const running = run([transform("a", 1), transform("b", 2)], ["a>b"], {
      onStepCompleted: () => Promise.reject(failure),
    });
    await expect(running).rejects.toBe(failure);
  });
});
