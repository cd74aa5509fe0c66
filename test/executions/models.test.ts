import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { callForEvents } from "../harness/events.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Result = z.looseObject({ executionId: z.string(), output: z.unknown() });
const Trace = z.object({
  spans: z.array(
    z.looseObject({ stepId: z.string(), type: z.string(), parentId: z.string().nullable() }),
  ),
});
const Failed = z.looseObject({
  executionId: z.string().optional(),
  upstreamStatus: z.int().nullish(),
});
const Budget = z.looseObject({ currentMonthlyCost: z.number(), usagePercent: z.number() });

const prompt = (more: object = {}) => ({
  llmConfigs: [{ providerId: "stand-in", parameters: { model: "priced" } }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "What now?", ...more }], edges: [] },
});

describe("agents over a model", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let models: ModelServer;
  const secret = "sk-this-is-the-key-of-the-provider";

  beforeAll(async () => {
    models = await startModelServer();
  });

  beforeEach(async () => {
    own = await newOrganization();
    await own.send("POST", "/llm-providers", {
      id: "stand-in",
      type: "openai-compatible",
      displayName: "Stand-in",
      baseUrl: `${models.url}/v1`,
      apiKey: secret,
    });
  });

  afterAll(() => models.close());

  const execute = (agent: string, body: object = { input: {} }) =>
    own.try("POST", `/agents/${agent}:execute`, { body });

  test("a step with text is retried with a reset, one without text is continued by the next model, which the trace names", {
    tags: "nightly",
  }, async () => {
    const fallbacks = [{ providerId: "echo", parameters: {} }];
    const llm = { providerId: "stand-in", parameters: { model: "priced" }, fallbacks };
    const retry = { maxAttempts: 2, backoffSeconds: 0 };
    await own.deployAgent("careful", { ...prompt({ retry }), llmConfigs: [llm] });
    models.script({ breaks: "after", by: { error: "overloaded" } }, { error: "overloaded" });
    const path = `${own.base}/agents/careful:execute`;
    const { events } = await callForEvents(path, { token: own.token, body: { input: {} } });
    const all = await Array.fromAsync(events);
    const names = all.map(({ event }) => event);
    expect(names.slice(1, 6)).toEqual([
      "step.started",
      "output.delta",
      "step.failed",
      "output.reset",
      "step.started",
    ]);
    const result = z.looseObject({ executionId: z.string() }).parse(all.at(-1)?.data);
    expect(result).toMatchObject({ status: "Succeeded", output: "What now?" });
    const record = `/agents/careful/execution-records/${result.executionId}`;
    const trace = await own.send("GET", `${record}/trace`);
    expect(Trace.parse(trace.body).spans.find(({ id }) => id === "ask#2")).toMatchObject({
      providerId: "stand-in",
      servedBy: { providerId: "echo", modelId: "echo-1" },
    });
  });

  test("a provider of a fallback that does not exist is refused with the place", async () => {
    await own.send("POST", "/agents", { id: "typo", displayName: "Typo" });
    const fallbacks = [{ providerId: "echo" }, { providerId: "ecko" }];
    const body = prompt({ llm: { providerId: "stand-in", parameters: { model: "m" }, fallbacks } });
    const response = await own.try("POST", "/agents/typo/revisions", { body });
    const pointer = "/flow/steps/0/llm/fallbacks/1/providerId";
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test("a model calls tools and sub-agents in turns, and every call is a span below its step", async () => {
    await own.deployAgent("doubler", {
      parametersMetadata: [{ name: "number", type: "Integer", required: true }],
      flow: {
        steps: [{ id: "double", type: "Output", value: "{% input.number * 2 %}" }],
        edges: [],
      },
    });
    await own.deployAgent("thinker", {
      ...prompt({ tools: ["calculate", "twice"] }),
      subAgents: [
        {
          id: "twice",
          agentId: "doubler",
          displayName: "Twice",
          description: "Doubles a number",
          parametersMetadata: [{ name: "number", type: "Integer", required: true }],
        },
      ],
    });
    models.script(
      { toolCalls: [{ name: "calculate", arguments: { expression: "6 * 7" } }] },
      { toolCalls: [{ name: "twice", arguments: { number: 42 } }] },
      { text: "It is 84." },
    );
    const ran = await execute("thinker");
    expect(ran.text).toContain("It is 84.");
    const { executionId, output } = Result.parse(ran.body);
    expect(output).toBe("It is 84.");
    const [second, third] = models.requests.slice(-2);
    expect(JSON.stringify(second?.body)).toContain("42");
    expect(JSON.stringify(third?.body)).toContain("84");
    const trace = await own.send("GET", `/agents/thinker/execution-records/${executionId}/trace`);
    const below = Trace.parse(trace.body).spans.filter(({ parentId }) => parentId !== null);
    expect(below.map(({ type }) => type).toSorted()).toEqual([
      "Model",
      "Model",
      "Model",
      "SubAgent",
      "Tool",
    ]);
    const children = await own.send("GET", "/agents/doubler/execution-records");
    expect(children.body).toMatchObject({ items: [{ trigger: { type: 4, id: executionId } }] });
  });

  test("a model without a price is marked in the results, the records and the totals", {
    tags: "nightly",
  }, async () => {
    const step = (id: string, model: string) => ({
      ...{ id, type: "Prompt", prompt: "What?" },
      llm: { providerId: "stand-in", parameters: { model } },
    });
    const flow = (...steps: object[]) => ({ flow: { steps, edges: [] } });
    await own.deployAgent("known", flow(step("a", "priced")));
    await own.deployAgent("unknown", flow(step("a", "nameless")));
    await own.deployAgent("mixed", flow(step("a", "priced"), step("b", "nameless")));
    await own.deployAgent(
      "above",
      flow(step("a", "priced"), { id: "b", type: "SubAgent", agentId: "unknown", input: {} }),
    );
    const costs = expect.toSatisfy((cost: number) => cost > 0);
    const executeAndList = async (agent: string) => {
      const { body } = await execute(agent);
      const list = (await own.send("GET", `/agents/${agent}/execution-records`)).body;
      return { body, list };
    };
    const marked = (priced: boolean, pricedWithSubAgents: boolean, totalCost: unknown) => ({
      body: { priced, cost: { totalCost } },
      list: { items: [{ priced, pricedWithSubAgents, totalCost }] },
    });
    expect(await executeAndList("known")).toMatchObject(marked(true, true, costs));
    expect(await executeAndList("unknown")).toMatchObject(marked(false, false, 0));
    expect(await executeAndList("mixed")).toMatchObject(marked(false, false, costs));
    expect(await executeAndList("above")).toMatchObject(marked(true, false, costs));

    const day = new Date().toISOString().slice(0, 10);
    const usage = async (groupBy: string) =>
      (await own.send("GET", `/usage?from=${day}&to=${day}&groupBy=${groupBy}`)).body;
    const item = (key: string, executionCount: number, unpricedCount: number, totalCost: unknown) =>
      expect.objectContaining({ key, executionCount, unpricedCount, totalCost });
    expect(await usage("agent")).toEqual({
      items: [
        item("above", 1, 0, costs),
        item("known", 1, 0, costs),
        item("mixed", 1, 1, costs),
        item("unknown", 2, 2, 0),
      ],
    });
    expect(await usage("model")).toEqual({
      items: [item("stand-in/nameless", 3, 3, 0), item("stand-in/priced", 3, 0, costs)],
    });
    const of = async (agent: string, path: string) =>
      (await own.send("GET", `/agents/${agent}/revisions/*/${path}`)).body;
    expect(await of("unknown", "cost")).toMatchObject({ executionCount: 2, unpricedCount: 2 });
    expect(await of("known", "cost")).toMatchObject({ executionCount: 1, unpricedCount: 0 });
    expect(await of("mixed", "model-usages")).toMatchObject([
      { modelId: "priced", unpricedCount: 0 },
      { modelId: "nameless", unpricedCount: 1 },
    ]);
  });

  test("an outputSchema makes the output an object, and a model that violates it gets the errors and retries", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    };
    await own.deployAgent("structured", prompt({ outputSchema: schema }));
    models.script({ text: '{"town": "Lisbon"}' }, { text: '{"city": "Lisbon"}' });
    expect(Result.parse((await execute("structured")).body).output).toEqual({ city: "Lisbon" });
  });

  test("ForEach calls the model for every item, and returns the results in the items' order", async () => {
    await own.deployAgent("lister", {
      ...prompt(),
      parametersMetadata: [{ name: "names", type: "Json", required: true }],
      flow: {
        steps: [
          {
            id: "each",
            type: "ForEach",
            items: "{% input.names %}",
            concurrency: 3,
            step: {
              type: "Prompt",
              prompt: "{% $string(index) & item %}",
              llm: { providerId: "echo", parameters: {} },
            },
          },
        ],
        edges: [],
      },
    });
    const ran = await execute("lister", { input: { names: ["a", "b", "c", "d"] } });
    expect(Result.parse(ran.body).output).toEqual(["0a", "1b", "2c", "3d"]);
  });

  test.each([
    [{ status: 500, body: "secret inside" }, 502, "upstream-failed", 500],
    [{ status: 401, body: "secret inside" }, 502, "upstream-failed", 401],
    [{ fault: "garbage" } as const, 502, "upstream-failed", null],
    [{ fault: "reset" } as const, 502, "upstream-failed", null],
  ])(
    "a provider's %j is returned as %i %s, with the step and without its message",
    async (scripted, status, slug, upstreamStatus) => {
      await own.deployAgent("failing", prompt());
      models.script(scripted);
      const ran = await execute("failing");
      expect(ran.status).toBe(status);
      const problem = expectProblem(ran);
      expect(problem).toMatchObject({ slug, step: "ask", upstream: "stand-in" });
      const { executionId, upstreamStatus: sentStatus } = Failed.parse(problem);
      expect(sentStatus).toBe(upstreamStatus);
      expect(ran.text).not.toContain("secret inside");
      expect(ran.text).not.toContain(secret);
      for (const path of ["", "/trace"]) {
        const found = await own.send(
          "GET",
          `/agents/failing/execution-records/${executionId}${path}`,
        );
        expect(found.text).not.toContain("secret inside");
        expect(found.text).not.toContain(secret);
      }
    },
  );

  test("a provider that hangs is 504 when the step's time is over", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("hanging", prompt({ timeoutSeconds: 1 }));
    models.script({ fault: "hang" });
    const ran = await execute("hanging");
    expect(expectProblem(ran)).toMatchObject({
      slug: "upstream-timeout",
      status: 504,
      step: "ask",
    });
  });

  test("a throttled request is retried after the provider's delay", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("patient", prompt());
    models.script({ status: 429, headers: { "retry-after": "1" } }, { text: "at last" });
    expect(Result.parse((await execute("patient")).body).output).toBe("at last");
  });

  test("a step that cannot work by its own configuration is 422", async () => {
    await own.send("POST", "/llm-providers", {
      id: "gone",
      type: "openai-compatible",
      baseUrl: `${models.url}/v1`,
      defaultModel: "any",
    });
    await own.deployAgent("wrong", {
      ...prompt(),
      llmConfigs: [{ providerId: "gone", parameters: {} }],
    });
    await own.send("DELETE", "/llm-providers/gone");
    expect(expectProblem(await execute("wrong"))).toMatchObject({
      slug: "execution-failed",
      status: 422,
      step: "ask",
    });
  });

  test("an enforced budget is kept however many runs start concurrently, and further ones get 402", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("spender", {
      ...prompt(),
      llmConfigs: [{ providerId: "stand-in", parameters: { model: "dear", maxOutputTokens: 100 } }],
    });
    const amount = 1;
    await own.send("PUT", "/agents/spender/budget", {
      amount,
      thresholdRules: [{ percent: 50 }],
      enforceLimit: true,
    });
    // At 1,000 USD a million, such a response costs 0.1 USD.
    const reply = { text: "ok", usage: { inputTokens: 5, outputTokens: 95 } };
    models.script(...Array.from({ length: 40 }, () => reply));
    const asked = models.requests.length;
    const runs = await Promise.all(Array.from({ length: 40 }, () => execute("spender")));
    const spent = Budget.parse((await own.send("GET", "/agents/spender/budget")).body);
    const done = runs.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThanOrEqual(8);
    expect(models.requests.length - asked).toBe(done);
    expect(spent.currentMonthlyCost).toBeCloseTo(done * 0.1, 6);
    expect(spent.currentMonthlyCost).toBeLessThanOrEqual(amount + 0.1);
    const refused = runs.filter(({ status }) => status !== 200);
    for (const run of refused)
      expect(expectProblem(run)).toMatchObject({ slug: "budget-exceeded" });
    await own.send("PUT", "/agents/spender/budget", { amount: 0.5, enforceLimit: true });
    const late = expectProblem(await execute("spender"));
    expect(late).toMatchObject({ status: 402, budget: { amount: 0.5, enforceLimit: true } });
    expect(Failed.parse(late).executionId).toBeUndefined();
  });
});
