import { describe, expect, test } from "vitest";
import {
  ask,
  calls,
  depsWithModel,
  run,
  scripted,
  textResult,
  toolsWith,
  usage,
} from "../../../../test/harness/flow.ts";
import { gate } from "../../../../test/harness/timers.ts";
import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { ModelProvider } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import type { FlowEvent, StepOutcome } from "../flow-result.ts";
import { whenAborted } from "../run-stop.ts";
import type { Spending } from "../spend-guard.ts";

const checkUnpriced = () => undefined;
const testTool = { integrationId: "test", toolId: "tool" };

describe("spending", () => {
  test("is requested before each call, with the run's cost and an estimate", async () => {
    const asked: unknown[] = [];
    const spend = { checkUnpriced, reserve: async (amounts: unknown) => void asked.push(amounts) };
    const { generate } = scripted(
      calls(["calculate", { expression: "1" }]),
      textResult("ok"),
      textResult("b"),
    );
    const llm = { providerId: "test", parameters: { maxOutputTokens: 100 } };
    const steps = [
      ask({ tools: ["calculate"], llm }),
      { ...ask(), id: "b", prompt: "{% steps.ask.output %}" },
    ];
    await run(steps, ["ask>b"], { deps: depsWithModel(generate), spend });
    expect(asked).toMatchObject([
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

  test("is estimated without the messages' provider-specific parts", async () => {
    const asked: number[] = [];
    const spend = {
      checkUnpriced,
      reserve: async ({ estimate }: { estimate: number }) => void asked.push(estimate),
    };
    const call = calls(["calculate", { expression: "1" }]);
    const raw = { big: 1n, own: {} };
    const { generate } = scripted({ ...call, message: { ...call.message, raw } }, textResult("ok"));
    const deps = depsWithModel(generate);
    const result = await run([ask({ tools: ["calculate"] })], [], { deps, spend });
    expect(result.output).toBe("ok");
    expect(asked).toHaveLength(2);
  });

  test("is bounded by the bytes of the request, the most output, and the budget of reasoning", async () => {
    const bounds: number[] = [];
    const spend = {
      checkUnpriced,
      reserve: async ({ most }: Spending) => void bounds.push(most()),
    };
    const deps = depsWithModel(async () => textResult("ok"));
    const own = [
      { maxOutputTokens: 100 },
      { maxOutputTokens: 100, thinking: { type: "enabled", budgetTokens: 2_000 } },
      {},
    ];
    for (const parameters of own) {
      const llm = { providerId: "test", parameters };
      await run([ask({ prompt: "日本", llm })], [], { deps, spend });
    }
    const bytes = Buffer.byteLength('{"messages":[{"role":"user","text":"日本"}]}');
    expect(bounds).toEqual([bytes + 100, bytes + 2_100, bytes + 1_024]);
  });

  test("counts an open call with its bound, and an ended one with its cost", async () => {
    const known: (() => number)[] = [];
    const spend = { checkUnpriced, reserve: async ({ most }: Spending) => void known.push(most) };
    const deps = depsWithModel(async () => textResult("ok"));
    const steps = [ask(), { ...ask(), id: "beside" }, { ...ask(), id: "after" }];
    await run(steps, ["ask>after", "beside>after"], { deps, spend });
    expect(known.map((most) => most())).toEqual([30, 30, 30]);
  });

  test("counts calls that are under way with their estimates", async () => {
    const asked: { spent: number; estimate: number }[] = [];
    const reserve = async (amounts: { spent: number; estimate: number }) =>
      void asked.push(amounts);
    const deps = depsWithModel(async () => textResult("ok"));
    const steps = [ask(), { ...ask(), id: "beside" }, { ...ask(), id: "after" }];
    await run(steps, ["ask>after", "beside>after"], { deps, spend: { checkUnpriced, reserve } });
    const [first, second, third] = asked;
    expect(first?.spent).toBe(0);
    expect(second?.spent).toBe(first?.estimate);
    expect(third?.spent).toBe(20);
  });

  test("counts the costs of earlier runs", async () => {
    const asked: unknown[] = [];
    const spend = {
      checkUnpriced,
      reserve: async ({ spent }: { spent: number }) => void asked.push(spent),
    };
    const { generate } = scripted(textResult("a"), textResult("b"), textResult("b"));
    const deps = depsWithModel(generate);
    const steps = [ask(), { ...ask(), id: "b", prompt: "{% steps.ask.output %}" }];
    const completed = new Map<string, StepOutcome>();
    await run(steps, ["ask>b"], {
      deps,
      onStepCompleted: async (outcome) =>
        void (outcome.stepId === "ask" && completed.set("ask", outcome)),
    });
    await run(steps, ["ask>b"], { deps, spend, completed });
    expect(asked).toEqual([10]);
  });

  test("counts the costs of earlier runs in unfinished steps", async () => {
    const handOver = new AbortController();
    const { generate } = scripted(textResult("no json"), textResult("no json"));
    const deps = depsWithModel((request) => {
      if (request.messages.length > 1) handOver.abort();
      return generate(request);
    });
    const step = ask({ outputSchema: { type: "object" } });
    const first = await run([step], [], { deps, handOver: handOver.signal });
    expect(first.status).toBe("Interrupted");
    const cost = first.usage[0]?.cost.totalCost ?? 0;
    expect(cost).toBeGreaterThanOrEqual(20);
    const asked: unknown[] = [];
    const spend = {
      checkUnpriced,
      reserve: async ({ spent }: { spent: number }) => void asked.push(spent),
    };
    const kept = { stepId: "~run", output: null, spans: first.spans };
    const completed = new Map<string, StepOutcome>([["~run", kept]]);
    const again = depsWithModel(async () => textResult("{}"));
    const second = await run([step], [], { deps: again, spend, completed });
    expect(asked).toEqual([cost]);
    expect(second.usage).toMatchObject([{ cost: { totalCost: 10 } }]);
  });

  test("that is refused ends the run before the model is called, and is not tried again", async () => {
    let asked = 0;
    const deps = depsWithModel(async () => {
      asked += 1;
      return textResult("ok");
    });
    const reserve = () => Promise.reject(new StepError("budget-exceeded", "The budget is spent."));
    const retry = { maxAttempts: 3, on: ["execution-failed"] };
    const result = await run([ask({ retry })], [], { deps, spend: { checkUnpriced, reserve } });
    expect(result).toMatchObject({
      status: "Failed",
      error: { slug: "budget-exceeded", detail: "The budget is spent.", step: "ask" },
      usage: [],
    });
    expect(asked).toBe(0);
    expect(result.spans).toHaveLength(1);
  });

  test("of nothing is not requested", async () => {
    const reserve = () => Promise.reject(new Error("asked"));
    const step = ask({ llm: { providerId: "echo" } });
    expect((await run([step], [], { spend: { checkUnpriced, reserve } })).status).toBe("Succeeded");
  });
});

describe("a call that brought no usage", () => {
  const question = '{"messages":[{"role":"user","text":"Hello"}]}';
  const inputTokens = Math.ceil(question.length / 4);
  const estimated = { inputTokens, outputTokens: 3, cachedTokens: 0, thinkingTokens: 0 };
  const totalCost = inputTokens + 3;
  const step = ask({ prompt: "Hello" });
  const streams =
    (then: () => void): ModelProvider["generate"] =>
    async ({ onDelta, signal }) => {
      onDelta?.("Hello ");
      onDelta?.("world");
      const { aborted } = whenAborted(signal);
      then();
      return aborted;
    };
  const forever = () => new Promise<never>(() => {});

  test("because it was cancelled, costs what was sent and streamed until then", async () => {
    const cancel = new AbortController();
    const deps = depsWithModel(streams(() => cancel.abort()));
    const result = await run([step], [], { deps, signal: cancel.signal });
    expect(result).toMatchObject({
      status: "Cancelled",
      usage: [{ modelId: "m1", tokens: estimated, cost: { totalCost } }],
      spans: [
        { id: "ask", status: "Cancelled", usage: estimated, cost: { totalCost } },
        { id: "ask/1", status: "Cancelled", usage: estimated, priced: true },
      ],
    });
  });

  test("because its step took too long, counts in the run's cost", async () => {
    const asked: number[] = [];
    const spend = {
      checkUnpriced,
      reserve: async ({ spent }: { spent: number }) => void asked.push(spent),
    };
    const streamed = gate();
    const slowly = streams(streamed.resolve);
    const deps = depsWithModel(
      (request) => (asked.length === 1 ? slowly(request) : Promise.resolve(textResult("ok"))),
      { sleep: (ms) => (ms === 5_000 && asked.length === 0 ? streamed.promise : forever()) },
    );
    const retry = { maxAttempts: 2, backoffSeconds: 0, on: ["upstream-timeout"] };
    const slow = { ...step, timeoutSeconds: 5, retry };
    const result = await run([slow], [], { deps, spend });
    expect(result.status).toBe("Succeeded");
    expect(asked).toEqual([0, totalCost]);
    expect(result.usage).toMatchObject([{ cost: { totalCost: totalCost + 10 } }]);
  });

  test("because it broke off, counts in its item of a ForEach, too", async () => {
    const broken = new UpstreamError("It broke off.", { upstream: "test" });
    const deps = depsWithModel(
      streams(() => {
        throw broken;
      }),
    );
    const loop = { id: "each", type: "ForEach", items: [1], step: { ...step, id: "inner" } };
    const result = await run([loop], [], { deps });
    expect(result).toMatchObject({ status: "Failed", usage: [{ tokens: estimated }] });
  });

  test.each([
    ["refused it", new UpstreamError("No.", { upstream: "test", upstreamStatus: 400 })],
    [
      "could not be reached",
      new UpstreamError(
        "It could not be reached.",
        { upstream: "test" },
        { cause: new OutgoingError("connection-failed", "No connection.") },
      ),
    ],
    ["could not be asked so", new StepError("execution-failed", "A parameter is wrong.")],
  ])("costs nothing when the service %s", async (_, error) => {
    const deps = depsWithModel(() => Promise.reject(error));
    const result = await run([step], [], { deps });
    expect(result).toMatchObject({ status: "Failed", usage: [] });
  });
});

describe("spans", () => {
  test("every call has one, with its usage and cost; that of the Prompt shows the sums", async () => {
    const { generate } = scripted(calls(["calculate", { expression: "1" }]), textResult("ok"));
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
        priced: true,
      },
    ]);
  });

  test("a failed attempt's calls count, too", async () => {
    const { generate } = scripted(calls(["tool", {}]), textResult("ok"));
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

  test("a model without a price is marked, and refused by an enforced budget that does not allow it", async () => {
    const deps = depsWithModel(async () => textResult("ok"));
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
    const checkUnpriced = (name: string) => {
      throw new StepError("execution-failed", `no price: ${name}`);
    };
    const spend = { checkUnpriced, reserve: async () => undefined };
    const refused = await run([ask()], [], { deps: { ...deps, models }, spend });
    expect(refused).toMatchObject({
      status: "Failed",
      error: { slug: "execution-failed", detail: "no price: test/m1" },
      usage: [],
    });
  });

  test("text is passed on in every turn", async () => {
    const events: FlowEvent[] = [];
    let turn = 0;
    const deps = depsWithModel(async ({ onDelta }) => {
      turn += 1;
      onDelta?.(`turn ${turn}`);
      return turn === 1 ? calls(["calculate", { expression: "1" }]) : textResult("ok");
    });
    await run([ask({ tools: ["calculate"] })], [], { deps, emit: (event) => events.push(event) });
    expect(events.filter(({ type }) => type === "output.delta")).toEqual([
      { type: "output.delta", stepId: "ask", text: "turn 1" },
      { type: "output.delta", stepId: "ask", text: "turn 2" },
    ]);
  });
});
