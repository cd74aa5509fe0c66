import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { callForEvents } from "../harness/events.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Result = z.looseObject({ executionId: z.string(), status: z.string(), output: z.unknown() });
const Trace = z.object({
  executionId: z.string(),
  spans: z.array(z.looseObject({ id: z.string() })),
});
const Usages = z.array(z.looseObject({ executionCount: z.int(), totalCost: z.number() }));

const agent = {
  parametersMetadata: [{ name: "topic", type: "String", required: true }],
  llmConfigs: [{ providerId: "stand-in", parameters: { model: "priced" } }],
  flow: {
    steps: [
      { id: "first", type: "Prompt", prompt: "One: {% input.topic %}" },
      { id: "second", type: "Prompt", prompt: "Two: {% steps.first.output %}" },
    ],
    edges: [{ source: "first", target: "second" }],
  },
};
const body = { input: { topic: "ships" } };
const buildReply = (text: string) => ({
  text: [text],
  usage: { inputTokens: 1_000, outputTokens: 100, cachedTokens: 200, thinkingTokens: 40 },
});

describe("the ways to run an agent", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let models: ModelServer;

  beforeAll(async () => {
    models = await startModelServer();
    own = await newOrganization();
    await own.send("POST", "/llm-providers", {
      id: "stand-in",
      type: "openai-compatible",
      displayName: "Stand-in",
      baseUrl: `${models.url}/v1`,
      apiKey: "sk-never-shown-anywhere",
    });
    await own.deployAgent("sailor", agent);
  });

  afterAll(() => models.close());

  const record = async (executionId: string) =>
    Result.extend({ id: z.string() })
      .omit({ executionId: true })
      .parse((await own.send("GET", `/agents/sailor/execution-records/${executionId}`)).body);
  const isOver = async (executionId: string, status: string) =>
    expect.poll(async () => (await record(executionId)).status, { timeout: 20_000 }).toBe(status);

  test("waits for the output, and counts the provider's tokens at the list's prices", async () => {
    models.script(buildReply("one"), buildReply("two"));
    const ran = await own.try("POST", "/agents/sailor:execute", { body });
    expect(ran.status).toBe(200);
    expect(ran.body).toMatchObject({
      status: "Succeeded",
      output: "two",
      usage: { inputTokens: 2_000, outputTokens: 200, cachedTokens: 400, thinkingTokens: 80 },
      cost: {
        inputCost: 0.2,
        outputCost: 0.04,
        cachedCost: 0.004,
        thinkingCost: 0.016,
        totalCost: 0.26,
      },
    });
    const { executionId } = Result.parse(ran.body);
    const recorded = await own.send("GET", `/agents/sailor/execution-records/${executionId}`);
    expect(recorded.body).toMatchObject({ cachedTokens: 400, thinkingTokens: 80 });
    const trace = await own.send("GET", `/agents/sailor/execution-records/${executionId}/trace`);
    const { spans } = Trace.parse(trace.body);
    expect(spans).toContainEqual(
      expect.objectContaining({
        stepId: "second",
        type: "Prompt",
        status: "Succeeded",
        priced: true,
        providerId: "stand-in",
        modelId: "priced",
      }),
    );
    expect(trace.text).not.toContain("sk-never-shown-anywhere");
  });

  test("respond-async responds 202 immediately, with a Location", async () => {
    models.script(buildReply("one"), buildReply("two"));
    const accepted = await own.try("POST", "/agents/sailor:execute", {
      body,
      headers: { Prefer: "respond-async" },
    });
    expect(accepted.status).toBe(202);
    const { executionId, status, output } = Result.parse(accepted.body);
    expect([status, output]).toEqual(["Queued", null]);
    expect(accepted.headers.get("location")).toBe(
      `/v1/tenants/${own.tenantId}/agents/sailor/execution-records/${executionId}`,
    );
    await isOver(executionId, "Succeeded");
    expect((await record(executionId)).output).toBe("two");
  });

  test("wait=N responds 202 after N seconds, and the execution continues without repeating a step", async () => {
    const go = Promise.withResolvers<void>();
    models.script(buildReply("one"), { after: go.promise, reply: buildReply("late") });
    const asked = models.requests.length;
    const accepted = await own.try("POST", "/agents/sailor:execute", {
      body,
      headers: { Prefer: "wait=1" },
    });
    expect(accepted.status).toBe(202);
    const { executionId, status } = Result.parse(accepted.body);
    expect(status).toBe("Running");
    go.resolve();
    await isOver(executionId, "Succeeded");
    expect((await record(executionId)).output).toBe("late");
    expect(models.requests.length - asked).toBe(2);
  });

  test.each(["wait=0", "wait=26", "wait=soon", "wait"])("refuses Prefer: %s", async (prefer) => {
    const refused = await own.try("POST", "/agents/sailor:execute", {
      body,
      headers: { Prefer: prefer },
    });
    expect(expectProblem(refused)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "header/Prefer" }],
    });
  });

  test("events report every step, with ids, and end with the response", async () => {
    models.script(buildReply("one"), { ...buildReply("two"), text: ["t", "w", "o"] });
    const path = `${own.base}/agents/sailor:execute`;
    const response = await callForEvents(path, { token: own.token, body });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
    const events = await Array.fromAsync(response.events);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => String(at + 1)));
    const names = events.map(({ event }) => event);
    expect(names[0]).toBe("execution.started");
    expect(names.filter((name) => name === "step.started")).toHaveLength(2);
    expect(names.filter((name) => name === "step.completed")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({
      event: "execution.completed",
      data: { status: "Succeeded", output: "two" },
    });
    const deltas = events.filter(({ event }) => event === "output.delta");
    expect(deltas.map(({ data }) => z.looseObject({ text: z.string() }).parse(data).text)).toEqual([
      "one",
      "t",
      "w",
      "o",
    ]);
  });

  test("events arrive while the model streams, not afterwards", async () => {
    const go = Promise.withResolvers<void>();
    models.script(buildReply("one"), { after: go.promise, reply: buildReply("two") });
    const path = `${own.base}/agents/sailor:execute`;
    const { events } = await callForEvents(path, { token: own.token, body });
    for await (const { event, data } of events) {
      if (event === "step.completed" && JSON.stringify(data).includes("one")) break;
    }
    go.resolve();
  });

  test("a failure after the first event is the last event, and before it an ordinary response", async () => {
    models.script(buildReply("one"), { status: 500, body: "secret inside of the provider" });
    const path = `${own.base}/agents/sailor:execute`;
    const { status, events } = await callForEvents(path, { token: own.token, body });
    expect(status).toBe(200);
    const last = (await Array.fromAsync(events)).at(-1);
    expect(last).toMatchObject({
      event: "execution.failed",
      data: {
        type: "/problems/upstream-failed",
        status: 502,
        step: "second",
        upstream: "stand-in",
        upstreamStatus: 500,
        executionId: expect.any(String),
      },
    });
    expect(JSON.stringify(last)).not.toContain("secret inside");
    const refused = await callForEvents(path, { token: own.token, body: { input: {} } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
  });

  test("a cancel stops it within seconds, stays, and cannot be made twice", async () => {
    const never = Promise.withResolvers<void>();
    models.script(buildReply("one"), { after: never.promise, reply: buildReply("two") });
    const accepted = await own.try("POST", "/agents/sailor:execute", {
      body,
      headers: { Prefer: "wait=1" },
    });
    const { executionId } = Result.parse(accepted.body);
    const cancel = () => own.try("POST", `/agents/sailor/execution-records/${executionId}:cancel`);
    const cancelled = await cancel();
    expect([cancelled.status, Result.parse(cancelled.body).status]).toEqual([202, "Cancelled"]);
    expect(expectProblem(await cancel()).slug).toBe("conflict");
    await expect
      .poll(
        async () => (await own.send("GET", `/agents/sailor/execution-records/${executionId}`)).body,
        { timeout: 15_000 },
      )
      .toMatchObject({ status: "Cancelled", inputTokens: expect.closeTo(1_000, -2), output: null });
    never.resolve();
  });

  test("a test run is a sample in the environment `test`, on a revision that is not deployed", {
    tags: "nightly",
  }, async () => {
    models.script(buildReply("one"), buildReply("two"));
    await own.send("POST", "/agents/sailor/revisions", { ...agent, comment: "draft" });
    const ran = await own.try("POST", "/agents/sailor/revisions/2:test", { body });
    expect(ran.status).toBe(200);
    const { executionId } = Result.parse(ran.body);
    const found = await own.send("GET", `/agents/sailor/execution-records/${executionId}`);
    expect(found.body).toMatchObject({
      agentRevision: 2,
      isSample: true,
      environmentSlug: "test",
      trigger: { type: 5 },
    });
    const usages = await own.send("GET", "/agents/sailor/revisions/2/model-usages");
    expect(Usages.parse(usages.body)).toMatchObject([{ executionCount: 1 }]);
  });

  test("an Idempotency-Key runs it once, whether the response was a 202, a 200 or events", async () => {
    models.script(buildReply("one"), buildReply("two"));
    const asked = models.requests.length;
    const headers = { "Idempotency-Key": `k-${own.org}` };
    const first = await own.try("POST", "/agents/sailor:execute", { body, headers });
    const again = await own.try("POST", "/agents/sailor:execute", { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const path = `${own.base}/agents/sailor:execute`;
    const { events } = await callForEvents(path, { token: own.token, body, headers });
    expect(await Array.fromAsync(events)).toEqual([
      { id: "1", event: "execution.completed", data: first.body },
    ]);
    expect(models.requests.length - asked).toBe(2);
  });
});
