import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { getMonthSpend } from "../../spending/budget/spend-store.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { listApprovals } from "../approvals/approval-store.ts";
import { readTrace } from "../read/read-execution.ts";
import { queueWaiting } from "../record/waiting-store.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";

const minute = 60_000;
const day = 1_440 * minute;
const pausing = (seconds: number) =>
  buildFlow(
    [ask("before"), { id: "pause", type: "Wait", seconds }, ask("after")],
    ["before>pause", "pause>after"],
  );

describe("an execution with a wait", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  let world: ReturnType<typeof testWaiting>;
  beforeEach(() => {
    world = testWaiting(db);
  });

  test("waits without a lease, is not recovered before it is overdue, and continues after its time", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", pausing(600));
    const accepted = await world.execute("a");
    expect(accepted).toMatchObject({ status: "accepted", execution: { status: "Waiting" } });
    const { executionId } = accepted.execution;
    const open = (await world.open()).filter((item) => item.executionId === executionId);
    expect(open).toEqual([]);
    db.calls.length = 0;
    expect(await world.recover()).toBe(0);
    expect(db.calls.filter((call) => call !== "Query")).toEqual([]);
    await world.dueAfter(599_000);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.dueAfter(2_000);
    const { item, output } = await world.read("a", executionId);
    expect(item).toMatchObject({ status: "Succeeded", inputTokens: 20, totalCost: 0.02 });
    expect(output?.output).toBe("asked after");
    expect(world.asked).toEqual(["asked before", "asked after"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
    const { spans } = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
      now: world.tenant.ctx.clock(),
    });
    const [pause] = spans.filter(({ type }) => type === "Wait");
    expect((pause?.endTime ?? 0) - (pause?.startTime ?? 0)).toBeGreaterThanOrEqual(600_000);
  });

  test("is continued ten minutes after its time where its wake-up was lost", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", pausing(600));
    await world.execute("a");
    await world.deliver();
    world.delayed().splice(0);
    await world.dueAfter(1_199_000);
    expect(await world.recover()).toBe(0);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.dueAfter(2_000);
    expect(await world.recover()).toBe(1);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked before", "asked after"]);
    expect(await world.recover()).toBe(0);
  });

  test("of a sub-agent is continued where its wake-up was lost, and an approval next to it is left alone", {
    tags: "nightly",
  }, async () => {
    const approval = { id: "decide", type: "Approval", title: "Pay?", timeoutSeconds: 86_400 };
    const timed = { ...approval, timeoutSeconds: 600, onTimeout: "approve" };
    await world.deploy("child", buildFlow([timed], []));
    const child = { id: "child", type: "SubAgent", agentId: "child" };
    await world.deploy("a", buildFlow([child, approval], []));
    await world.execute("a");
    await world.deliver();
    world.delayed().splice(0);
    await world.dueAfter(1_201_000);
    expect(await world.recover()).toBe(1);
    await world.deliver();
    await world.dueAfter(2_000);
    expect(await world.statuses("child")).toEqual(["Succeeded"]);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    const approvals = await Array.fromAsync(listApprovals(db, world.tenantId));
    const statuses = approvals.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(["Pending", "TimedOut"]);
    await world.dueAfter(12 * 60 * minute);
    expect(await world.recover()).toBe(0);
  });

  test("of a year keeps its steps, has one schedule, and has its 15 minutes left", async () => {
    await world.deploy("a", pausing(365 * 86_400));
    const { executionId } = (await world.execute("a")).execution;
    await world.deliver();
    expect([...world.schedules.values()]).toEqual([
      expect.objectContaining({ isOnce: true, timeZone: "UTC" }),
    ]);
    for (let passed = 0; passed < 365; passed += 73) {
      expect(await world.statuses("a")).toEqual(["Waiting"]);
      await world.dueAfter(73 * day);
    }
    await world.dueAfter(minute);
    expect((await world.read("a", executionId)).item.status).toBe("Succeeded");
    expect(world.asked).toEqual(["asked before", "asked after"]);
  });

  test("shows its trace so far, and its last event has the time until which it waits", async () => {
    await world.deploy("a", pausing(600));
    const sent = await world.stream("a");
    expect(sent.at(-1)).toEqual({
      event: "execution.waiting",
      data: expect.objectContaining({
        status: "Waiting",
        approvals: [],
        until: expect.any(Number),
      }),
    });
    const [item] = await world.list("a");
    const now = world.tenant.ctx.clock();
    const { spans } = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId: item?.id ?? "",
      now,
    });
    expect(spans.map(({ id }) => id)).toEqual(["before", "before/1"]);
  });

  test("runs again once when its wake-ups are repeated, come early, or while it runs", async () => {
    await world.deploy("a", pausing(600));
    const { executionId } = (await world.execute("a")).execution;
    await world.deliver();
    const [message] = world.delayed();
    if (!message) throw new Error("there is no wake-up");
    world.tenant.advance(601_000);
    world.tenant.sent.push(message, message);
    const deferred = { ...message, at: 0 };
    await world.deliver();
    world.tenant.sent.push(deferred);
    await world.deliver();
    expect((await world.read("a", executionId)).item.status).toBe("Succeeded");
    await world.dueAfter(minute);
    expect(world.asked).toEqual(["asked before", "asked after"]);
    expect(world.delayed()).toEqual([]);
  });

  test("is cancelled immediately, its usage is counted, and its wake-up has no effect", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", pausing(600));
    const { executionId } = (await world.execute("a")).execution;
    const cancelled = await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
    });
    expect(cancelled.status).toBe("Cancelled");
    await world.deliver();
    const { item } = await world.read("a", executionId);
    expect(item).toMatchObject({ status: "Cancelled", settled: true, totalCost: 0.01 });
    await world.dueAfter(601_000);
    expect(await world.statuses("a")).toEqual(["Cancelled"]);
    expect(world.asked).toEqual(["asked before"]);
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("is cancelled, and the schedules that it leaves fire once without an effect", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", pausing(86_400));
    const child = { id: "child", type: "SubAgent", agentId: "child" };
    await world.deploy(
      "a",
      buildFlow([child, { id: "pause", type: "Wait", seconds: 172_800 }], []),
    );
    const { executionId } = (await world.execute("a")).execution;
    await world.deliver();
    expect(world.schedules.size).toBe(2);
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await world.deliver();
    expect([await world.statuses("a"), await world.statuses("child")]).toEqual([
      ["Cancelled"],
      ["Cancelled"],
    ]);
    const counted = await world.counted("a");
    await world.dueAfter(172_801_000);
    expect([await world.statuses("a"), await world.statuses("child")]).toEqual([
      ["Cancelled"],
      ["Cancelled"],
    ]);
    expect(world.schedules.size).toBe(0);
    expect(world.delayed()).toEqual([]);
    expect(await world.counted("a")).toEqual(counted);
    expect(world.asked).toEqual(["asked before"]);
  });

  test("settles its cancelled sub-agent although its run was cut off after its end", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", pausing(86_400));
    await world.deploy("a", buildFlow([{ id: "child", type: "SubAgent", agentId: "child" }], []));
    const { executionId } = (await world.execute("a")).execution;
    await world.deliver();
    const [child] = await world.list("child");
    const key = { tenantId: world.tenantId, agentId: "child", executionId: child?.id ?? "" };
    await cancelExecution(world.deps, key);
    const afterEnd = () => Promise.reject(new Error("the function died"));
    const dying = { ...world.deps, endHooks: { ...world.deps.endHooks, afterEnd } };
    world.tenant.advance(2_000);
    await world.deliver(async (work) => {
      const deps = { ...dying, schedules: world.service };
      return work(deps).then(
        () => true,
        () => false,
      );
    });
    expect((await world.read("a", executionId)).item.status).toBe("Failed");
    expect((await world.read("child", key.executionId)).item.settled).toBeUndefined();
    await world.deliver();
    expect((await world.read("child", key.executionId)).item.settled).toBe(true);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
    await world.dueAfter(86_401_000);
    expect(await world.counted("child")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("keeps only its cost reserved in its budget, and reserves more when it continues", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", pausing(600));
    const { ctx, deps } = world.tenant;
    const budget = { amount: 1, thresholdRules: [], enforceLimit: true, allowUnpriced: false };
    await putBudget(deps, { ctx, agentId: "a", body: budget });
    await world.execute("a");
    const spend = () => getMonthSpend(db, world.tenantId, "a", toMonth(world.tenant.ctx.clock()));
    expect(await spend()).toMatchObject({ spent: 0, committed: 0.01 });
    await world.dueAfter(601_000);
    expect(await spend()).toMatchObject({ spent: 0.02, committed: 0.02 });
  });

  test("waits with its sub-agents, and each of them continues once", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", pausing(600));
    const call = (id: string) => ({ id, type: "SubAgent", agentId: "child" });
    await world.deploy(
      "a",
      buildFlow([call("one"), call("two"), ask("last")], ["one>last", "two>last"]),
    );
    const { executionId, status } = (await world.execute("a")).execution;
    expect(status).toBe("Waiting");
    expect(await world.statuses("child")).toEqual(["Waiting", "Waiting"]);
    await world.dueAfter(300_000);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.dueAfter(301_000);
    expect((await world.read("a", executionId)).item).toMatchObject({
      status: "Succeeded",
      totalCost: 0.01,
      totalCostWithSubAgents: 0.05,
    });
    expect(await world.statuses("child")).toEqual(["Succeeded", "Succeeded"]);
    expect(world.asked.toSorted()).toEqual([
      "asked after",
      "asked after",
      "asked before",
      "asked before",
      "asked last",
    ]);
  });

  test("fails when its waiting sub-agent is cancelled", { tags: "nightly" }, async () => {
    await world.deploy("child", pausing(600));
    await world.deploy("a", buildFlow([{ id: "one", type: "SubAgent", agentId: "child" }], []));
    const { executionId } = (await world.execute("a")).execution;
    const [child] = await world.list("child");
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "child",
      executionId: child?.id ?? "",
    });
    await world.dueAfter(2_000);
    await world.deliver();
    const { item, output } = await world.read("a", executionId);
    expect(item).toMatchObject({ status: "Failed", totalCostWithSubAgents: 0.01 });
    expect(output?.error?.detail).toContain("It was cancelled.");
    expect((await world.list("child"))[0]).toMatchObject({ settled: true });
  });

  test("is not repeated where its wake-up comes to a run that finds it open", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", pausing(600));
    const { executionId } = (await world.execute("a")).execution;
    const key = { tenantId: world.tenantId, agentId: "a", executionId };
    await world.dueAfter(599_990);
    await queueWaiting(db, key, world.tenant.ctx.clock() + minute);
    world.tenant.sent.push({
      type: "run-execution",
      tenantId: world.tenantId,
      runs: [{ agentId: "a", executionId }],
    });
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    expect(world.delayed().length).toBeGreaterThan(1);
    await world.dueAfter(2_000);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(world.asked).toEqual(["asked before", "asked after"]);
  });

  test("evaluates its time once", { tags: "nightly" }, async () => {
    const seconds = "{% ($toMillis('2026-12-24T00:00:00Z') - $millis()) / 1000 %}";
    const until = Date.parse("2026-12-24T00:00:00Z");
    await world.deploy("a", buildFlow([{ id: "pause", type: "Wait", seconds }], []));
    await world.execute("a");
    await world.deliver();
    await world.dueAfter(until - world.tenant.ctx.clock() + minute);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("longer than the tenant keeps executions fails", async () => {
    const { tenant, clock } = world.tenant.ctx;
    const retention = { executionDays: 3, traceDays: 1, deliveryDays: 1 };
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times, retention });
    await world.deploy("a", pausing(4 * 86_400));
    await expect(world.execute("a")).rejects.toMatchObject({
      message: expect.stringContaining("longer than the tenant keeps executions: 3 days"),
    });
  });

  test("fails when its sub-agent, which started later, would wait for longer than its own record is kept", {
    tags: "nightly",
  }, async () => {
    const { tenant, clock } = world.tenant.ctx;
    const retention = { executionDays: 3, traceDays: 1, deliveryDays: 1 };
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times, retention });
    const pause = { id: "pause", type: "Wait", seconds: 86_400 };
    const child = { id: "child", type: "SubAgent", agentId: "child" };
    await world.deploy("child", pausing(2.5 * 86_400));
    await world.deploy("a", buildFlow([pause, child], ["pause>child"]));
    const { executionId } = (await world.execute("a")).execution;
    await world.deliver();
    await world.dueAfter(day + minute);
    expect((await world.read("a", executionId)).output?.error?.detail).toContain("3 days");
    expect(await world.statuses("child")).toEqual(["Cancelled"]);
  });
});
