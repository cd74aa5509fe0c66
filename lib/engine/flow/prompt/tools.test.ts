import { describe, expect, test } from "vitest";
import {
  agentsWith,
  ask,
  calls,
  depsWithModel,
  resultsIn,
  run,
  scripted,
  textResult,
  toolsWith,
  usage,
  weatherAgent,
} from "../../../../test/harness/flow.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { Json } from "../../../values/json/json.ts";
import { ToolError } from "../../tools/tool.ts";

const testTool = { integrationId: "test", toolId: "tool" };

describe("tools", () => {
  test("are offered by valid, unique names, with JSON Schema", async () => {
    const { requests, generate } = scripted(textResult("ok"));
    const deps = depsWithModel(generate, {
      tools: { ...toolsWith(async () => null) },
      agents: agentsWith(async () => null),
    });
    const subAgents = [
      weatherAgent,
      { ...weatherAgent, id: "2nd", displayName: "Weather report" },
      { ...weatherAgent, id: "8-ball", displayName: "天気" },
    ];
    const tools = [testTool, "use-weather", "2nd", "8-ball", testTool];
    await run([ask({ tools })], [], { deps, subAgents });
    const [request] = requests;
    expect(request?.tools?.map(({ name }) => name)).toEqual([
      "tool",
      "weather_report",
      "weather_report_2",
      "tool_8-ball",
    ]);
    expect(request?.tools?.[1]).toEqual({
      name: "weather_report",
      description: "Tells the weather.",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", description: "Where." },
          days: { type: "integer", minimum: 1, maximum: 9, description: "How many." },
        },
        required: ["city"],
        additionalProperties: false,
      },
    });
  });

  test("are run, their results are sent with the model's message, and a text ends the step", async () => {
    const raw = { own: "form" };
    const call = calls(["calculate", { expression: "6 * 7" }]);
    const first = { ...call, message: { ...call.message, raw } };
    const { requests, generate } = scripted(first, textResult("It is 42."));
    const result = await run([ask({ tools: ["calculate"] })], [], {
      deps: depsWithModel(generate),
    });
    expect(result.output).toBe("It is 42.");
    expect(requests[1]?.messages).toEqual([
      { role: "user", text: "go" },
      { ...call.message, raw },
      { role: "tool", results: [{ id: "c0", name: "calculate", output: 42, isError: false }] },
    ]);
  });

  test("get strings, whatever the model makes of their parameters", async () => {
    const got: unknown[] = [];
    const tools = toolsWith(async (parameters) => got.push(parameters));
    const given: Json[] = ["a", 5, true, { b: [1] }, null];
    const { generate } = scripted(calls(...given.map((text) => ["tool", { text }] as const)));
    await run([ask({ tools: [testTool] })], [], { deps: depsWithModel(generate, { tools }) });
    expect(got).toEqual([
      { text: "a" },
      { text: "5" },
      { text: "true" },
      { text: '{"b":[1]}' },
      {},
    ]);
  });

  test("of one turn run at the same time, at most five, and results keep the calls' order", async () => {
    let now = 0;
    let most = 0;
    const tools = toolsWith(async ({ text = "" }) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((done) => setImmediate(done));
      now -= 1;
      return text;
    });
    const texts = ["a", "b", "c", "d", "e", "f", "g"];
    const { requests, generate } = scripted(
      calls(...texts.map((text) => ["tool", { text }] as const)),
    );
    await run([ask({ tools: [testTool] })], [], { deps: depsWithModel(generate, { tools }) });
    expect(most).toBe(5);
    expect(resultsIn(requests[1]).map(({ output }) => output)).toEqual(texts);
  });

  test.each<[string, Json, Error | undefined, string]>([
    ["a tool's own failure", {}, new ToolError("Bad zone."), "Bad zone."],
    [
      "a failing service",
      {},
      new UpstreamError("502 from api", { upstream: "api" }),
      "502 from api",
    ],
    ["an unknown argument", { nope: 1 }, undefined, 'tool has no parameter "nope". Known: text.'],
    ["arguments that are no object", "text", undefined, "The arguments must be an object."],
  ])(
    "%s is a result that the model reads, which may continue",
    async (_name, given, error, detail) => {
      const tools = toolsWith(async () => {
        if (error) throw error;
        return null;
      });
      const { requests, generate } = scripted(calls(["tool", given]), textResult("Then not."));
      const deps = depsWithModel(generate, { tools });
      const result = await run([ask({ tools: [testTool] })], [], { deps });
      expect(result.output).toBe("Then not.");
      expect(resultsIn(requests[1])).toEqual([
        { id: "c0", name: "tool", output: detail, isError: true },
      ]);
      expect(result.spans.find(({ type }) => type === "Tool")).toMatchObject({
        id: "ask/2",
        status: "Failed",
        error: { detail },
      });
    },
  );

  test("that do not exist are reported to the model", async () => {
    const { requests, generate } = scripted(calls(["nope", {}]), textResult("ok"));
    await run([ask({ tools: ["calculate"] })], [], { deps: depsWithModel(generate) });
    expect(resultsIn(requests[1])).toMatchObject([
      { output: 'There is no tool "nope". There are: calculate.', isError: true },
    ]);
  });

  test("that fail unexpectedly end the step, and the cause is logged", async () => {
    const original = new Error("hunter2");
    const tools = toolsWith(() => Promise.reject(original));
    const { generate } = scripted(calls(["tool", {}]));
    const deps = depsWithModel(generate, { tools });
    const { error } = await run([ask({ tools: [testTool] })], [], { deps });
    expect(error).toMatchObject({ detail: "The step failed unexpectedly.", cause: original });
  });

  test("return at most 100 KB to a model, and note the truncation", async () => {
    const tools = toolsWith(async () => `a${"é".repeat(60_000)}`);
    const { requests, generate } = scripted(calls(["tool", {}]));
    const deps = depsWithModel(generate, { tools });
    await run([ask({ tools: [testTool] })], [], { deps });
    const text = String(resultsIn(requests[1])[0]?.output);
    expect(text.startsWith(`a${"é".repeat(49_999)}`)).toBe(true);
    expect(text.slice(50_000)).toBe("\n[Cut: these are the first 100000 of 120001 bytes.]");
  });

  test("are called at most 64 times in one turn", async () => {
    let runs = 0;
    const tools = toolsWith(async () => {
      runs += 1;
      return null;
    });
    const many = Array.from({ length: 65 }, () => ["tool", {}] as const);
    const { requests, generate } = scripted(calls(...many));
    const deps = depsWithModel(generate, { tools });
    await run([ask({ tools: [testTool] })], [], { deps });
    expect(runs).toBe(64);
    expect(resultsIn(requests[1]).at(-1)).toMatchObject({ isError: true });
  });

  test("may be called in at most `maxTurns` turns", async () => {
    let runs = 0;
    const tools = toolsWith(async () => {
      runs += 1;
      return null;
    });
    const deps = depsWithModel(async () => calls(["tool", {}]), { tools });
    const result = await run([ask({ tools: [testTool], maxTurns: 3 })], [], { deps });
    expect(result.error).toMatchObject({
      slug: "execution-failed",
      detail: 'The model still calls tools after 3 turns ("maxTurns").',
    });
    expect(result.spans.filter(({ type }) => type === "Model")).toHaveLength(3);
    expect(runs).toBe(2);
    const byDefault = await run([ask({ tools: [testTool] })], [], { deps });
    expect(byDefault.error?.detail).toContain("after 8 turns");
  });

  test("are aborted, and their spans cancelled, when the step takes too long", async () => {
    const started = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const tools = toolsWith((_parameters, { signal }) => {
      signals.push(signal);
      started.resolve();
      return new Promise(() => {});
    });
    const { generate } = scripted(calls(["tool", {}]));
    const sleep = (ms: number, signal: AbortSignal) =>
      ms === 7_000
        ? started.promise
        : new Promise<void>((done) => signal.addEventListener("abort", () => done()));
    const deps = depsWithModel(generate, { tools, sleep });
    const result = await run([ask({ tools: [testTool], timeoutSeconds: 7 })], [], { deps });
    expect(result.error).toMatchObject({ slug: "upstream-timeout" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const [step, , cancelled] = result.spans;
    expect(cancelled?.endTime).toBe(step?.endTime);
    expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "ask Failed",
      "ask/1 Succeeded",
      "ask/2 Cancelled",
    ]);
    expect(result.usage).toMatchObject([{ tokens: usage }]);
  });
});
