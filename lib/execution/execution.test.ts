import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { testTenant } from "../../test/harness/tenant.ts";
import { createModelRegistry } from "../models/model-registry.ts";
import { createRevision } from "../revision/create-revision.ts";
import { deployRevision } from "../revision/deploy-revision.ts";
import { revisionLoader } from "../revision/load-revision.ts";
import { CreateRevisionBody } from "../revision/schemas.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { executeAgent } from "./execute-agent.ts";
import { finishExecution } from "./finish-execution.ts";
import type { ExecuteAgentBody } from "./schemas.ts";
import { startExecution } from "./start-execution.ts";
import { getExecution, listExecutionsNewestFirst } from "./store.ts";
import { listUsage } from "./usage-store.ts";

const prompting = {
  parametersMetadata: [
    { name: "name", type: "String", defaultValue: "world" },
    { name: "token", type: "String", secret: true },
  ],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      { id: "ask", type: "Prompt", prompt: "Hello, {% input.name %}!" },
      { id: "answer", type: "Output", value: "{% steps.ask.output %}" },
    ],
    edges: [{ source: "ask", target: "answer" }],
  },
};
const failing = {
  flow: { steps: [{ id: "bad", type: "Output", value: "{% $number('x') %}" }], edges: [] },
};

describe("an execution", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let deps: Parameters<typeof executeAgent>[0]["deps"];

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    const tools = createToolRegistry();
    deps = {
      ...tenant.deps,
      models: createModelRegistry(),
      tools,
      loadRevision: revisionLoader({ ...tenant.deps, tools }),
    };
    await tenant.createAgent("hello");
  });

  const deploy = async (content: unknown) => {
    const { ctx } = tenant;
    const { agentRevision: revision } = await createRevision({
      ctx,
      input: { agentId: "hello", content: CreateRevisionBody.parse(content) },
      deps: tenant.deps,
    });
    await deployRevision({ ctx, input: { agentId: "hello", revision }, deps: tenant.deps });
  };
  const execute = (body: ExecuteAgentBody = {}) =>
    executeAgent({ ctx: tenant.ctx, input: { agentId: "hello", body }, deps });
  const usage = async (revision = 1) => {
    const counters = await listUsage(db, tenant.ctx.tenant.id, "hello", revision);
    const sum = (of: typeof counters) => of.reduce((total, each) => total + each.executionCount, 0);
    return {
      revision: sum(counters.filter((each) => each.modelId === undefined)),
      model: sum(counters.filter((each) => each.modelId === "echo-1")),
    };
  };
  const list = () =>
    listExecutionsNewestFirst(
      db,
      tenant.ctx.tenant.id,
      "hello",
      { from: undefined, to: undefined },
      { size: 200, skip: 0 },
    );

  test("a warm one costs three storage calls: the agent, the start and the end", async () => {
    await deploy(prompting);
    await execute();
    db.calls.length = 0;
    await execute();
    expect(db.calls).toEqual(["GetItem", "TransactWriteItems", "TransactWriteItems"]);
  });

  test("its record holds what went in, with secrets masked, and what came out", async () => {
    await deploy(prompting);
    const result = await execute({
      input: { name: "Ada", token: "hunter2" },
      metadata: { a: "b" },
    });
    expect(result).toMatchObject({ status: "Succeeded", output: "Hello, Ada!" });
    const found = await getExecution(db, tenant.ctx.tenant.id, "hello", result.executionId);
    expect(found?.item).toMatchObject({
      status: "Succeeded",
      hasResult: true,
      trigger: { type: 0, id: "admin", provider: null },
      inputTokens: result.usage.inputTokens,
    });
    expect(result.usage.inputTokens).toBeGreaterThan(0);
    expect(found?.input.metadata).toEqual({ a: "b" });
    expect(JSON.stringify(await db.scan())).not.toContain("hunter2");
  });

  test("thirty at once are each recorded and counted exactly once", async () => {
    await deploy(prompting);
    await Promise.all(Array.from({ length: 30 }, () => execute()));
    expect(await usage()).toEqual({ revision: 30, model: 30 });
    const { items } = await list();
    expect(new Set(items.map((item) => item.id)).size).toBe(30);
    expect(items.every((item) => item.status === "Succeeded")).toBe(true);
  });

  test("one that fails is recorded with its step, and counted", async () => {
    await deploy(failing);
    await expect(execute()).rejects.toMatchObject({
      slug: "execution-failed",
      members: { step: "bad", executionId: expect.any(String) },
    });
    const [item] = (await list()).items;
    expect(item).toMatchObject({ status: "Failed", hasResult: false });
    const found = await getExecution(db, tenant.ctx.tenant.id, "hello", item?.id ?? "");
    expect(found?.output?.error).toMatchObject({ type: "/problems/execution-failed", step: "bad" });
    expect(await usage()).toEqual({ revision: 1, model: 0 });
  });

  test("an end that is written again, or late, changes and counts nothing", async () => {
    await deploy(prompting);
    const started = await startExecution(deps, tenant.ctx.tenant.id, {
      id: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
      agentRevision: 1,
      startTime: tenant.ctx.clock(),
      trigger: { type: 0, id: "admin", provider: null },
      input: {},
      parametersMetadata: [],
      metadata: {},
    });
    const finish = (output: string) =>
      finishExecution(deps, tenant.ctx.tenant.id, {
        started,
        result: { status: "Succeeded", output, error: null, usage: [], spans: [] },
        endTime: tenant.ctx.clock(),
      });
    const ends = await Promise.allSettled([finish("one"), finish("two"), finish("three")]);
    expect(ends.filter((end) => end.status === "fulfilled")).toHaveLength(1);
    await expect(finish("late")).rejects.toMatchObject({ slug: "conflict" });
    expect(await usage()).toEqual({ revision: 1, model: 0 });
  });

  test("a crash before the end leaves it running and uncounted, never half of either", async () => {
    await deploy(prompting);
    await execute();
    tenant.advance(1_000);
    db.failNext("TransactWriteItems", 1);
    await expect(execute()).rejects.toThrow("planned failure");
    expect((await list()).items.map((item) => item.status)).toEqual(["Running", "Succeeded"]);
    expect(await usage()).toEqual({ revision: 1, model: 1 });
  });

  test("inputs that do not fit are refused with their places, and leave no record", async () => {
    await deploy(prompting);
    await expect(execute({ input: { name: 1, nonsense: true } })).rejects.toMatchObject({
      slug: "validation-failed",
      members: {
        errors: [
          expect.objectContaining({ pointer: "/input/nonsense" }),
          expect.objectContaining({ pointer: "/input/name" }),
        ],
      },
    });
    expect((await list()).items).toEqual([]);
  });

  test("without a deployed revision there is nothing to run, but a revision can be asked for", async () => {
    await createRevision({
      ctx: tenant.ctx,
      input: { agentId: "hello", content: CreateRevisionBody.parse(prompting) },
      deps: tenant.deps,
    });
    await expect(execute()).rejects.toMatchObject({ slug: "conflict" });
    await expect(execute({ revision: 1 })).resolves.toMatchObject({ agentRevision: 1 });
    await expect(execute({ revision: 2 })).rejects.toMatchObject({ slug: "not-found" });
  });

  test("a list is by start time, most recent first, and both ends of a span belong to it", async () => {
    await deploy(prompting);
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      tenant.advance(1_000);
      times.push((await execute()).startTime);
    }
    const spanned = await listExecutionsNewestFirst(
      db,
      tenant.ctx.tenant.id,
      "hello",
      { from: times[1], to: times[3] },
      { size: 50, skip: 0 },
    );
    expect(spanned.items.map((item) => item.startTime)).toEqual([times[3], times[2], times[1]]);
  });
});
