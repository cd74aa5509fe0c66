import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { reserveSpend } from "../../spending/budget/reserve-spend.ts";
import { getMonthSpend } from "../../spending/budget/spend-store.ts";
import { endApproval, listApprovals } from "../approvals/approval-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { leaseMs, maxClaims } from "../lease/execution-lease.ts";
import { readTrace } from "../read/read-execution.ts";
import { reserveOnRecord } from "../record/store.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { endWait } from "../wait/end-wait.ts";

const llmConfigs = [{ providerId: "test", parameters: {} }];
const content = {
  parametersMetadata: [
    { name: "token", type: "String", secret: true },
    { name: "text", type: "String" },
  ],
  llmConfigs,
  flow: {
    steps: [
      { id: "first", type: "Prompt", prompt: "first" },
      { id: "second", type: "Prompt", prompt: "second" },
    ],
    edges: [{ source: "first", target: "second" }],
  },
};
const parent = {
  llmConfigs,
  flow: { steps: [{ id: "call", type: "SubAgent", agentId: "a", input: {} }], edges: [] },
};
/** A caller that does not wait. */
const queued = 0;
const unreadable = (): never => {
  throw new Error("it cannot be read");
};
const broken: [string, (deps: ExecutionDeps) => Partial<ExecutionDeps>][] = [
  [
    "input is gone from the bucket",
    ({ objects }) => ({ objects: { ...objects, get: unreadable } }),
  ],
  ["secrets are not unsealed", ({ sealer }) => ({ sealer: { ...sealer, open: unreadable } })],
  ["revision cannot be loaded", () => ({ loadRevision: unreadable })],
];
/** Too large for an item, also when it is compressed. */
const noise = randomBytes(400_000).toString("base64");

describe("an execution that no worker can end", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const exhaust = async (world: ReturnType<typeof testExecutions>, deps: ExecutionDeps) => {
    for (let claim = 0; claim < maxClaims; claim += 1) {
      await expect(world.work(deps)).rejects.toThrow();
      world.tenant.advance(leaseMs + 1);
      await world.recover();
    }
  };
  const listOwnOpen = async (world: ReturnType<typeof testExecutions>) =>
    (await world.open()).filter(({ tenantId }) => tenantId === world.tenantId);

  test.each(broken)(
    "since its %s, is abandoned, and not queued again",
    { tags: "nightly" },
    async (_, breaks) => {
      const world = testExecutions(db);
      await world.deploy("a", content);
      await world.execute("a", { input: { token: "s3cret-token", text: noise } }, queued);
      const deps = { ...world.deps, ...breaks(world.deps) };
      await exhaust(world, deps);
      await world.work(deps);
      const [item] = await world.list("a");
      expect(item).toMatchObject({ status: "Failed", hasResult: false, hasTrace: false });
      expect((await world.read("a", item?.id ?? "")).output?.error?.detail).toContain("none could");
      expect(
        await readTrace(world.deps, {
          tenantId: world.tenantId,
          agentId: "a",
          executionId: item?.id ?? "",
          now: world.tenant.ctx.clock(),
        }),
      ).toMatchObject({
        spans: [],
      });
      expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 0 });
      expect(await listOwnOpen(world)).toEqual([]);
    },
  );

  const accepted = async (agentId: string) => {
    const world = testExecutions(db);
    await world.deploy("a", content);
    await world.deploy("parent", parent);
    const { executionId, startTime } = await world.accept(agentId);
    return { world, executionId, startTime };
  };

  test("is counted with the usage of its finished steps, and releases its reservation", {
    tags: "nightly",
  }, async () => {
    const { world, executionId, startTime } = await accepted("a");
    const month = toMonth(startTime);
    const { tenantId } = world;
    await reserveSpend(
      db,
      {
        tenantId,
        agentId: "a",
        startTime,
        executionId,
        reserveOnRecord: (more) => reserveOnRecord({ tenantId, agentId: "a", executionId }, more),
      },
      { more: 0.5, amount: 1 },
    );
    for (let claim = 0; claim < maxClaims; claim += 1) {
      // The end is a run's only transaction.
      db.failNext("TransactWriteItems");
      await expect(world.work()).rejects.toThrow("planned failure");
      world.tenant.advance(leaseMs + 1);
      await world.recover();
    }
    await world.work();
    expect((await world.list("a"))[0]).toMatchObject({ status: "Failed", totalCost: 0.02 });
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
    expect(await getMonthSpend(db, tenantId, "a", month)).toMatchObject({
      spent: 0.02,
      committed: 0.02,
    });
    expect(await listOwnOpen(world)).toEqual([]);
  });

  test.each(["Query", "TransactWriteItems"])(
    "is abandoned by the next worker from its record when a %s failed the first",
    { tags: "nightly" },
    async (command) => {
      const { world } = await accepted("a");
      await exhaust(world, { ...world.deps, loadRevision: unreadable });
      db.failNext(command);
      await expect(world.work()).rejects.toThrow("planned failure");
      world.tenant.advance(leaseMs + 1);
      await world.recover();
      for (let query = 0; query < 4; query += 1) db.failNext("Query");
      await world.work();
      db.clearFailures();
      expect((await world.list("a"))[0]?.status).toBe("Failed");
      expect(await listOwnOpen(world)).toEqual([]);
    },
  );

  test("ends the executions of its sub-agents", { tags: "nightly" }, async () => {
    const { world } = await accepted("parent");
    // The child's start passes; its end does not.
    db.failNext("TransactWriteItems", 1);
    await world.workOnce();
    expect((await world.list("a"))[0]?.status).toBe("Running");
    const deps = { ...world.deps, loadRevision: unreadable };
    for (let claim = 1; claim < maxClaims; claim += 1) {
      await expect(world.work(deps)).rejects.toThrow();
      world.tenant.advance(leaseMs + 1);
      await world.recover();
    }
    await world.work(deps);
    expect((await world.list("parent"))[0]?.status).toBe("Failed");
    expect((await world.list("a"))[0]?.status).toBe("Cancelled");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 20 });
  });

  test("cancels the approvals that it waited for, and those of its sub-agents", {
    tags: "nightly",
  }, async () => {
    const world = testWaiting(db);
    const { tenantId } = world;
    const approval = (id: string) => ({ id, type: "Approval", title: id });
    await world.deploy("child", buildFlow([approval("below")], []));
    const child = { id: "child", type: "SubAgent", agentId: "child" };
    await world.deploy("a", buildFlow([approval("one"), approval("two"), child], []));
    await world.execute("a");
    await world.deliver();
    const list = async () => {
      const found = await Array.fromAsync(listApprovals(db, tenantId));
      return Object.fromEntries(found.map(({ title, status }) => [title, status]));
    };
    expect(await list()).toEqual({ one: "Pending", two: "Pending", below: "Pending" });
    const found = await Array.fromAsync(listApprovals(db, tenantId));
    const item = found.find(({ title }) => title === "one");
    if (!item) throw new Error("there is no approval");
    await endWait(world.deps, {
      tenantId,
      root: item.root,
      executionId: item.executionId,
      path: item.path,
      answer: { action: "approve" },
      writes: [
        endApproval(tenantId, item, { status: "Decided", decidedAt: world.tenant.ctx.clock() }),
      ],
    });
    const deps = { ...world.deps, loadRevision: unreadable };
    // The run before the wait was the first claim.
    for (let claim = 1; claim < maxClaims; claim += 1) {
      await expect(world.work(deps)).rejects.toThrow();
      world.tenant.advance(leaseMs + 1);
      await world.recover();
    }
    await world.work(deps);
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await world.statuses("child")).toEqual(["Cancelled"]);
    expect(await list()).toEqual({ one: "Decided", two: "Cancelled", below: "Cancelled" });
  });

  test("stays cancelled if it was cancelled", { tags: "nightly" }, async () => {
    const { world, executionId } = await accepted("a");
    const deps = { ...world.deps, loadRevision: unreadable };
    await exhaust(world, deps);
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await world.work(deps);
    expect((await world.list("a"))[0]?.status).toBe("Cancelled");
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 0 });
    expect(await listOwnOpen(world)).toEqual([]);
  });
});
