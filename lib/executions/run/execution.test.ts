import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { listExecutionsNewestFirst } from "../read/list-executions.ts";

const prompting = {
  parametersMetadata: [
    { name: "name", type: "String", defaultValue: "world" },
    { name: "token", type: "String", secret: true },
  ],
  llmConfigs: [{ providerId: "test", parameters: {} }],
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
  let world: ReturnType<typeof testExecutions>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    await world.tenant.createAgent("hello");
  });

  test("costs three storage calls when warm: the agent, the start and the end", async () => {
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    await world.deploy("hello", prompting);
    await world.execute("hello");
    db.calls.length = 0;
    await world.execute("hello");
    expect(db.calls).toEqual(["GetItem", "PutItem", "TransactWriteItems"]);
  });

  test("its record has the input, with masked secrets, and the output", async () => {
    await world.deploy("hello", prompting);
    const result = await world.executeToEnd("hello", {
      input: { name: "Ada", token: "hunter2" },
      metadata: { a: "b" },
    });
    expect(result).toMatchObject({
      status: "Succeeded",
      output: "Hello, Ada!",
      cost: { totalCost: 0.01 },
    });
    const found = await world.read("hello", result.executionId);
    expect(found.item).toMatchObject({
      status: "Succeeded",
      hasResult: true,
      hasTrace: true,
      trigger: { type: 0, id: "admin", provider: null },
      inputTokens: 10,
      thinkingTokens: 2,
      totalCost: 0.01,
    });
    expect(found.input.metadata).toEqual({ a: "b" });
    expect(JSON.stringify(await db.scan())).not.toContain("hunter2");
  });

  test("thirty concurrent ones are recorded and counted exactly once, and none stays open", {
    tags: "nightly",
  }, async () => {
    await world.deploy("hello", prompting);
    await Promise.all(Array.from({ length: 30 }, () => world.execute("hello")));
    expect(await world.counted("hello")).toEqual({ executions: 30, modelTokens: 300 });
    const items = await world.list("hello");
    expect(new Set(items.map((item) => item.id)).size).toBe(30);
    expect(items.every((item) => item.status === "Succeeded")).toBe(true);
    expect(
      (await world.open()).filter((execution) => execution.tenantId === world.tenantId),
    ).toEqual([]);
  });

  test("one that fails is recorded with the failed step, and counted", {
    tags: "nightly",
  }, async () => {
    await world.deploy("hello", failing);
    await expect(world.execute("hello")).rejects.toMatchObject({
      slug: "execution-failed",
      members: { step: "bad", executionId: expect.any(String) },
    });
    const [item] = await world.list("hello");
    expect(item).toMatchObject({ status: "Failed", hasResult: false });
    const found = await world.read("hello", item?.id ?? "");
    expect(found.output?.error).toMatchObject({ type: "/problems/execution-failed", step: "bad" });
    expect(await world.counted("hello")).toEqual({ executions: 1, modelTokens: 0 });
  });

  test("invalid inputs are refused with pointers and leave no record", async () => {
    await world.deploy("hello", prompting);
    await expect(
      world.execute("hello", { input: { name: 1, nonsense: true } }),
    ).rejects.toMatchObject({
      slug: "validation-failed",
      members: {
        errors: [
          expect.objectContaining({ pointer: "/input/nonsense" }),
          expect.objectContaining({ pointer: "/input/name" }),
        ],
      },
    });
    expect(await world.list("hello")).toEqual([]);
  });

  test("requires a deployed revision, unless a revision is requested", async () => {
    const llmConfigs = [{ providerId: "echo", parameters: {} }];
    await createRevision(world.tenant.deps, {
      ctx: world.tenant.ctx,
      agentId: "hello",
      content: RevisionContent.parse({ ...prompting, llmConfigs }),
    });
    await expect(world.execute("hello")).rejects.toMatchObject({ slug: "conflict" });
    await expect(world.execute("hello", { revision: 1 })).resolves.toMatchObject({
      execution: { agentRevision: 1 },
    });
    await expect(world.execute("hello", { revision: 2 })).rejects.toMatchObject({
      slug: "not-found",
    });
  });

  test("a list is by start time, most recent first, and includes both ends of a time span", {
    tags: "nightly",
  }, async () => {
    await world.deploy("hello", prompting);
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      world.tenant.advance(1_000);
      times.push((await world.executeToEnd("hello")).startTime);
    }
    const spanned = await listExecutionsNewestFirst(
      db,
      { tenantId: world.tenantId, agentId: "hello" },
      { from: times[1], to: times[3], now: world.tenant.ctx.clock() },
      { size: 50, skip: 0 },
    );
    expect(spanned.items.map((item) => item.startTime)).toEqual([times[3], times[2], times[1]]);
  });
});
