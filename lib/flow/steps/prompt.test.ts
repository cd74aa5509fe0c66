import { describe, expect, test } from "vitest";
import {
  agentsWith,
  calls,
  depsWithModel,
  run,
  says,
  toolsWith,
  usage,
} from "../../../test/harness/flow.ts";
import type {
  GenerateRequest,
  GenerateResult,
  ModelMessage,
  ModelProvider,
} from "../../models/model.ts";
import { UpstreamError } from "../../outgoing/upstream-error.ts";
import { textParameter } from "../../tools/system/text-parameter.ts";
import { ToolError } from "../../tools/tool.ts";
import { compileFlow } from "../compile-flow.ts";
import type { FlowEvent, FlowOptions } from "../flow-result.ts";
import type { Json } from "../json.ts";
import type { FlowSkill } from "../skill.ts";
import { StepError } from "../step-error.ts";

const ask = (more: object = {}) => ({
  id: "ask",
  type: "Prompt",
  prompt: "go",
  llm: { providerId: "test", parameters: { model: "m1" } },
  ...more,
});
const testTool = { integrationId: "test", toolId: "tool" };

/** A model that answers as the script says, turn by turn, and the requests that it got. */
function scripted(...answers: readonly GenerateResult[]) {
  const requests: GenerateRequest[] = [];
  const generate = async (request: GenerateRequest) => {
    requests.push(request);
    return answers[requests.length - 1] ?? says("nothing more to say");
  };
  return { requests, generate };
}

function resultsIn(request: GenerateRequest | undefined) {
  const last: ModelMessage | undefined = request?.messages.at(-1);
  return last?.role === "tool" ? last.results : [];
}

const subAgent = {
  id: "use-weather",
  agentId: "weather",
  displayName: "Weather Report!",
  description: "Tells the weather.",
  parametersMetadata: [
    { ...textParameter("city", "Where."), required: true },
    {
      ...textParameter("days", "How many."),
      type: "Integer" as const,
      integerRange: { min: 1, max: 9 },
    },
    { ...textParameter("key", "A key."), secret: true, defaultValue: "s3cret" },
  ],
};

describe("tools", () => {
  test("are offered by valid, unique names, with JSON Schema", async () => {
    const { requests, generate } = scripted(says("ok"));
    const deps = depsWithModel(generate, {
      tools: { ...toolsWith(async () => null) },
      agents: agentsWith(async () => null),
    });
    const subAgents = [
      subAgent,
      { ...subAgent, id: "2nd", displayName: "Weather report" },
      { ...subAgent, id: "8-ball", displayName: "天気" },
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

  test("are run, their results given back with the model's own message, and the text ends it", async () => {
    const raw = { own: "form" };
    const call = calls(["calculate", { expression: "6 * 7" }]);
    const first = { ...call, message: { ...call.message, raw } };
    const { requests, generate } = scripted(first, says("It is 42."));
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
    ["an unknown argument", { nope: 1 }, undefined, 'tool has no parameter "nope". It has: text.'],
    ["arguments that are no object", "text", undefined, "The arguments must be an object."],
  ])("%s is told to the model, which may go on", async (_name, given, error, detail) => {
    const tools = toolsWith(async () => {
      if (error) throw error;
      return null;
    });
    const { requests, generate } = scripted(calls(["tool", given]), says("Then not."));
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
  });

  test("that do not exist are told to the model", async () => {
    const { requests, generate } = scripted(calls(["nope", {}]), says("ok"));
    await run([ask({ tools: ["calculate"] })], [], { deps: depsWithModel(generate) });
    expect(resultsIn(requests[1])).toMatchObject([
      { output: 'There is no tool "nope". There are: calculate.', isError: true },
    ]);
  });

  test("that fail in a way nobody expected end the step, and the cause is kept for the log", async () => {
    const original = new Error("hunter2");
    const tools = toolsWith(() => Promise.reject(original));
    const { generate } = scripted(calls(["tool", {}]));
    const deps = depsWithModel(generate, { tools });
    const { error } = await run([ask({ tools: [testTool] })], [], { deps });
    expect(error).toMatchObject({ detail: "The step failed unexpectedly.", cause: original });
  });

  test("give a model at most 100 KB, and say what was cut", async () => {
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
    const begun = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const tools = toolsWith((_parameters, { signal }) => {
      signals.push(signal);
      begun.resolve();
      return new Promise(() => {});
    });
    const { generate } = scripted(calls(["tool", {}]));
    const sleep = (ms: number, signal: AbortSignal) =>
      ms === 7_000
        ? begun.promise
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

describe("sub-agents as tools", () => {
  test("get typed inputs with the revision's defaults, and where in the run they are called", async () => {
    const asked: unknown[] = [];
    const agents = agentsWith(async ({ agentId, input, path }) => {
      asked.push({ agentId, input, path });
      return { sun: 1 };
    });
    const { requests, generate } = scripted(
      calls(["weather_report", { city: "Faro", days: 2 }]),
      says("Sunny."),
    );
    const deps = depsWithModel(generate, { agents });
    const result = await run([ask({ tools: ["use-weather"] })], [], {
      deps,
      subAgents: [subAgent],
    });
    expect(asked).toEqual([
      { agentId: "weather", input: { city: "Faro", days: 2, key: "s3cret" }, path: "ask/2" },
    ]);
    expect(resultsIn(requests[1])).toMatchObject([{ output: { sun: 1 }, isError: false }]);
    expect(result.spans.find(({ type }) => type === "SubAgent")).toMatchObject({
      id: "ask/2",
      parentId: "ask",
      stepId: "ask",
      name: "use-weather",
      input: { agentId: "weather", executionId: "x1", input: { city: "Faro", days: 2 } },
      output: { sun: 1 },
    });
    expect(JSON.stringify(result.spans)).not.toContain("s3cret");
  });

  test("are asked what they take when the revision does not say", async () => {
    const { requests, generate } = scripted(says("ok"));
    const description = {
      displayName: "The Weather",
      description: "Own words.",
      parametersMetadata: [textParameter("place", "Where.")],
    };
    const agents = agentsWith(async () => null, description);
    const bare = { ...subAgent, displayName: null, description: null, parametersMetadata: [] };
    const options = { deps: depsWithModel(generate, { agents }), subAgents: [bare] };
    await run([ask({ tools: ["use-weather"] })], [], options);
    expect(requests[0]?.tools).toMatchObject([
      {
        name: "the_weather",
        description: "Own words.",
        parameters: { properties: { place: { type: "string" } } },
      },
    ]);
    const none = {
      ...options,
      deps: depsWithModel(generate, { agents: agentsWith(async () => null) }),
    };
    const result = await run([ask({ tools: ["use-weather"] })], [], none);
    expect(result.error?.detail).toContain('no agent "weather"');
  });

  test.each<[string, Json, Error | undefined, string]>([
    [
      "arguments that do not fit",
      { days: 0 },
      undefined,
      "/input/city is required; /input/days must be at least 1",
    ],
    ["its failure", { city: "x" }, new StepError("upstream-failed", "Model down."), "Model down."],
  ])("%s is told to the model", async (_name, given, error, detail) => {
    const agents = agentsWith(async () => {
      if (error) throw error;
      return null;
    });
    const { requests, generate } = scripted(calls(["weather_report", given]));
    const deps = depsWithModel(generate, { agents });
    await run([ask({ tools: ["use-weather"] })], [], { deps, subAgents: [subAgent] });
    expect(resultsIn(requests[1])).toMatchObject([{ output: detail, isError: true }]);
  });

  test("with a spent budget end the step, and what else the turn called is aborted", async () => {
    const aborted: string[] = [];
    const agents = agentsWith(async ({ input, signal }) => {
      if (input.city === "a") throw new StepError("budget-exceeded", "Spent.");
      return new Promise((_done, fail) =>
        signal.addEventListener("abort", () => {
          aborted.push(String(input.city));
          fail(signal.reason);
        }),
      );
    });
    const { generate } = scripted(
      calls(["weather_report", { city: "b" }], ["weather_report", { city: "a" }]),
    );
    const deps = depsWithModel(generate, { agents });
    const retry = { maxAttempts: 3, on: ["execution-failed", "upstream-failed"] };
    const step = ask({ tools: ["use-weather"], retry });
    const result = await run([step], [], { deps, subAgents: [subAgent] });
    expect(result).toMatchObject({ status: "Failed", error: { slug: "budget-exceeded" } });
    expect(aborted).toEqual(["b"]);
    expect(result.spans.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "ask Failed",
      "ask/1 Succeeded",
      "ask/2 Cancelled",
      "ask/3 Failed",
    ]);
  });
});

describe("outputSchema", () => {
  const outputSchema = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  };

  test.each([
    ["JSON", '{"n": 1}'],
    ["JSON wrapped as code", '```json\n{"n": 1}\n```'],
  ])(
    "gives the object of an answer that is %s; the provider gets the schema",
    async (_name, text) => {
      const { requests, generate } = scripted(says(text));
      const result = await run([ask({ outputSchema })], [], { deps: depsWithModel(generate) });
      expect(result.output).toEqual({ n: 1 });
      expect(requests[0]?.outputSchema).toEqual(outputSchema);
    },
  );

  test("tells the model once what is wrong", async () => {
    const { requests, generate } = scripted(says('{"n": "x"}'), says('{"n": 2}'));
    const result = await run([ask({ outputSchema })], [], { deps: depsWithModel(generate) });
    expect(result.output).toEqual({ n: 2 });
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      text: expect.stringContaining("/n: "),
    });
  });

  test("fails at the second answer that does not fit, or when no turn is left", async () => {
    const always = depsWithModel(async () => says("no JSON"));
    const result = await run([ask({ outputSchema })], [], { deps: always });
    expect(result.error).toMatchObject({
      slug: "execution-failed",
      detail: `The model's answer does not fit "outputSchema": it is not valid JSON.`,
    });
    expect(result.spans.filter(({ type }) => type === "Model")).toHaveLength(2);
    const once = await run([ask({ outputSchema, maxTurns: 1 })], [], { deps: always });
    expect(once.spans.filter(({ type }) => type === "Model")).toHaveLength(1);
  });

  test("says so when the answer was cut off", async () => {
    const deps = depsWithModel(async () => ({ ...says('{"n":'), finishReason: "length" as const }));
    const { error } = await run([ask({ outputSchema })], [], { deps });
    expect(error?.detail).toContain("maxOutputTokens");
  });
});

describe("skills", () => {
  const skill: FlowSkill = {
    id: "math",
    displayName: "Mathematics",
    description: "For numbers.",
    instructions: "Always calculate.",
    tools: [{ integrationId: "system", id: "calculate" }],
  };
  const resolve = async (id: string) => (id === "math" ? skill : undefined);

  test("stand in the system text, and their tools are offered once", async () => {
    const { requests, generate } = scripted(says("ok"));
    const deps = depsWithModel(generate, { skills: { resolve } });
    const step = ask({ system: "Be brief.", skills: ["math", "math"], tools: ["calculate"] });
    await run([step], [], { deps });
    expect(requests[0]?.system).toBe(
      "Be brief.\n\n# Skill: Mathematics\n\nFor numbers.\n\nAlways calculate.",
    );
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(["calculate"]);
  });

  test.each<[string, Partial<FlowOptions["deps"]>, string]>([
    ["that do not exist", { skills: { resolve: async () => undefined } }, 'no skill "math"'],
    ["that nobody can find", {}, "no skills here"],
    [
      "whose tool is not there",
      {
        skills: {
          resolve: async () => ({ ...skill, tools: [{ integrationId: "jira", id: "issues" }] }),
        },
      },
      'no integration "jira"',
    ],
  ])("%s fail the step", async (_name, more, detail) => {
    const deps = depsWithModel(async () => says("ok"), more);
    const result = await run([ask({ skills: ["math"] })], [], { deps });
    expect(result.error?.detail).toContain(detail);
  });
});

describe("spending", () => {
  test("is asked for before each call, with what the run has cost and an estimate", async () => {
    const asked: unknown[] = [];
    const spend = { reserve: async (amounts: unknown) => void asked.push(amounts) };
    const { generate } = scripted(calls(["calculate", { expression: "1" }]), says("ok"), says("b"));
    const llm = { providerId: "test", parameters: { maxOutputTokens: 100 } };
    const steps = [
      ask({ tools: ["calculate"], llm }),
      { ...ask(), id: "b", prompt: "{% steps.ask.output %}" },
    ];
    await run(steps, ["ask>b"], { deps: depsWithModel(generate), spend });
    expect(asked).toEqual([
      { spent: 0, estimate: expect.any(Number) },
      { spent: 10, estimate: expect.any(Number) },
      {
        spent: 20,
        estimate: Math.ceil('{"messages":[{"role":"user","text":"ok"}]}'.length / 4) + 1_024,
      },
    ]);
    expect(asked).toMatchObject([
      { estimate: expect.toSatisfy((n: number) => n > 100 && n < 300) },
      {},
      {},
    ]);
  });

  test("is estimated without the provider's own form of messages, which may be anything", async () => {
    const asked: number[] = [];
    const spend = {
      reserve: async ({ estimate }: { estimate: number }) => void asked.push(estimate),
    };
    const call = calls(["calculate", { expression: "1" }]);
    const raw = { big: 1n, own: {} };
    const { generate } = scripted({ ...call, message: { ...call.message, raw } }, says("ok"));
    const deps = depsWithModel(generate);
    const result = await run([ask({ tools: ["calculate"] })], [], { deps, spend });
    expect(result.output).toBe("ok");
    expect(asked).toHaveLength(2);
  });

  test("counts calls that are under way with their estimates", async () => {
    const asked: { spent: number; estimate: number }[] = [];
    const reserve = async (amounts: { spent: number; estimate: number }) =>
      void asked.push(amounts);
    const deps = depsWithModel(async () => says("ok"));
    const steps = [ask(), { ...ask(), id: "beside" }, { ...ask(), id: "after" }];
    await run(steps, ["ask>after", "beside>after"], { deps, spend: { reserve } });
    const [first, second, third] = asked;
    expect(first?.spent).toBe(0);
    expect(second?.spent).toBe(first?.estimate);
    expect(third?.spent).toBe(20);
  });

  test("counts what earlier runs spent", async () => {
    const asked: unknown[] = [];
    const spend = { reserve: async ({ spent }: { spent: number }) => void asked.push(spent) };
    const { generate } = scripted(says("a"), says("b"), says("b"));
    const deps = depsWithModel(generate);
    const steps = [ask(), { ...ask(), id: "b", prompt: "{% steps.ask.output %}" }];
    const completed = new Map();
    await run(steps, ["ask>b"], {
      deps,
      onStepCompleted: async (outcome) =>
        void (outcome.stepId === "ask" && completed.set("ask", outcome)),
    });
    await run(steps, ["ask>b"], { deps, spend, completed });
    expect(asked).toEqual([10]);
  });

  test("that is refused ends the run before the model is called, and is not tried again", async () => {
    let asked = 0;
    const deps = depsWithModel(async () => {
      asked += 1;
      return says("ok");
    });
    const reserve = () => Promise.reject(new StepError("budget-exceeded", "The budget is spent."));
    const retry = { maxAttempts: 3, on: ["execution-failed"] };
    const result = await run([ask({ retry })], [], { deps, spend: { reserve } });
    expect(result).toMatchObject({
      status: "Failed",
      error: { slug: "budget-exceeded", detail: "The budget is spent.", step: "ask" },
      usage: [],
    });
    expect(asked).toBe(0);
    expect(result.spans).toHaveLength(1);
  });

  test("nothing is not asked for", async () => {
    const reserve = () => Promise.reject(new Error("asked"));
    const step = ask({ llm: { providerId: "echo" } });
    expect((await run([step], [], { spend: { reserve } })).status).toBe("Succeeded");
  });
});

describe("spans", () => {
  test("each call is one, its usage and cost counted once; the Prompt's own shows the sums", async () => {
    const { generate } = scripted(calls(["calculate", { expression: "1" }]), says("ok"));
    const deps = depsWithModel(generate);
    const result = await run([ask({ tools: ["calculate"] })], [], { deps });
    const twice = { inputTokens: 6, outputTokens: 4, cachedTokens: 2, thinkingTokens: 8 };
    expect(result.spans).toMatchObject([
      { id: "ask", type: "Prompt", usage: twice, cost: { totalCost: 20 }, priced: true },
      { id: "ask/1", parentId: "ask", type: "Model", name: "m1", usage, cost: { totalCost: 10 } },
      {
        id: "ask/2",
        parentId: "ask",
        type: "Tool",
        name: "system/calculate",
        usage: null,
        output: 1,
      },
      {
        id: "ask/3",
        parentId: "ask",
        type: "Model",
        providerId: "test",
        modelId: "m1",
        priced: true,
      },
    ]);
    expect(result.usage).toEqual([
      {
        providerId: "test",
        modelId: "m1",
        tokens: twice,
        cost: expect.objectContaining({ totalCost: 20 }),
      },
    ]);
  });

  test("a failed attempt's calls count, too", async () => {
    const { generate } = scripted(calls(["tool", {}]), says("ok"));
    let failed = false;
    const tools = toolsWith(async () => {
      if (failed) return null;
      failed = true;
      throw new Error("unexpected");
    });
    const deps = depsWithModel(generate, { tools });
    const retry = { maxAttempts: 2, backoffSeconds: 0, on: ["execution-failed"] };
    const result = await run([ask({ tools: [testTool], retry })], [], { deps });
    expect(result.spans.map(({ id }) => id)).toEqual(["ask", "ask/1", "ask/2", "ask#2", "ask#2/1"]);
    expect(result.usage).toMatchObject([{ cost: { totalCost: 20 } }]);
  });

  test("a model without a price is marked", async () => {
    const deps = depsWithModel(async () => says("ok"));
    const resolve = async (id: string) => {
      const provider = await deps.models.resolve(id);
      if (!provider) return undefined;
      const price: ModelProvider["price"] = async (...asked) => {
        const { cost } = await provider.price(...asked);
        return { cost, priced: false };
      };
      return { ...provider, price };
    };
    const models = { resolve };
    const result = await run([ask()], [], { deps: { ...deps, models } });
    expect(result.spans).toMatchObject([{ priced: false }, { priced: false }]);
  });

  test("text is passed on in every turn", async () => {
    const events: FlowEvent[] = [];
    let turn = 0;
    const deps = depsWithModel(async ({ onDelta }) => {
      turn += 1;
      onDelta?.(`turn ${turn}`);
      return turn === 1 ? calls(["calculate", { expression: "1" }]) : says("ok");
    });
    await run([ask({ tools: ["calculate"] })], [], { deps, emit: (event) => events.push(event) });
    expect(events.filter(({ type }) => type === "output.delta")).toEqual([
      { type: "output.delta", stepId: "ask", text: "turn 1" },
      { type: "output.delta", stepId: "ask", text: "turn 2" },
    ]);
  });
});

describe("checking", () => {
  test.each<[string, object, string, string]>([
    ["an unknown name", { tools: ["nope"] }, "/tools/0", "Known: use-weather, current_time"],
    [
      "an unknown integration",
      { tools: [{ integrationId: "jira", toolId: "x" }] },
      "/tools/0/integrationId",
      "Known: system.",
    ],
    [
      "an unknown tool",
      { tools: ["calculate", { integrationId: "system", toolId: "x" }] },
      "/tools/1/toolId",
      "It has: current_time",
    ],
    [
      "a configuration",
      { tools: [{ integrationId: "system", toolId: "calculate", configId: "c" }] },
      "/tools/0/configId",
      "not available yet",
    ],
    [
      "a schema that is none",
      { outputSchema: { type: "objekt" } },
      "/outputSchema",
      "is not a JSON Schema",
    ],
    ["too many turns", { maxTurns: 51 }, "/maxTurns", "50"],
  ])("refuses %s", (_name, more, pointer, detail) => {
    const result = compileFlow({ steps: [ask(more)] }, { subAgents: [subAgent] });
    expect(result).toMatchObject({
      ok: false,
      errors: [{ pointer: `/steps/0${pointer}`, detail: expect.stringContaining(detail) }],
    });
  });

  test("a sub-agent goes before a system tool of the same id", async () => {
    const { requests, generate } = scripted(says("ok"));
    const deps = { ...depsWithModel(generate), agents: agentsWith(async () => null) };
    const subAgents = [{ ...subAgent, id: "calculate" }];
    await run([ask({ tools: ["calculate"] })], [], { deps, subAgents });
    expect(requests[0]?.tools?.[0]?.name).toBe("weather_report");
  });
});
