import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { executionKey, toExecutionKey } from "../../executions/record/keys.ts";
import { reserveOnRecord } from "../../executions/record/store.ts";
import { withCompanions } from "../../platform/db/companion-writes.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { transact } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { countUsage } from "../usage/count-usage.ts";
import { checkBudget, crossThresholds } from "./check-budget.ts";
import { monthSpendKey } from "./keys.ts";
import { putBudget } from "./put-budget.ts";
import { type GuardedExecution, spendGuard } from "./reserve-spend.ts";
import { PutBudgetBody } from "./schemas.ts";
import { getMonthSpend, settleSpend } from "./spend-store.ts";
import { removeBudget } from "./store.ts";

const noModel = { providerId: "p", modelId: "m", tokens: noTokens };
const ThresholdMessage = z.object({ event: z.object({ data: z.object({ percent: z.number() }) }) });

describe("a budget", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await putNewTenant(db, {
      ...tenant.ctx.tenant,
      slug: tenantId(),
      displayName: "Test",
      createdAt: now(),
      modifiedAt: now(),
    });
    await tenant.createAgent("hello");
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const now = () => tenant.ctx.clock();
  const put = (body: object) =>
    putBudget(tenant.deps, { ctx: tenant.ctx, agentId: "hello", body: PutBudgetBody.parse(body) });
  const agent = async () => {
    const found = await getAgent(db, tenantId(), "hello");
    if (!found) throw new Error("no agent");
    return found;
  };
  const readMonthSpend = (month = toMonth(now())) => getMonthSpend(db, tenantId(), "hello", month);
  /** Ends an execution that started now, while its agent had a budget of this amount; null for none. */
  const settle = (cost: number, amount: number | null = 1) => {
    const execution = { id: newUuid(tenant.ctx), agentId: "hello", startTime: now() };
    return transact(db, [
      countUsage(
        tenantId(),
        { ...execution, agentRevision: 1, status: "Succeeded", trigger: { type: 0 } },
        { models: [{ ...noModel, cost: { ...noCost, totalCost: cost }, priced: true }] },
      ),
      ...settleSpend(tenantId(), execution, { amount, cost, reserved: 0 }),
    ]);
  };
  const check = async () => checkBudget(alerting(), { tenantId: tenantId(), agent: await agent() });
  const cross = async () =>
    crossThresholds(alerting(), {
      tenantId: tenantId(),
      agent: await agent(),
      month: toMonth(now()),
    });
  const listPercents = () =>
    tenant.sent.map((message) => ThresholdMessage.parse(message).event.data.percent);
  const alerting = () => ({ ...tenant.deps, clock: now });
  /** An execution that runs, as far as a budget knows it. */
  const start = async () => {
    const id = newUuid(tenant.ctx);
    const key = { tenantId: tenantId(), agentId: "hello", executionId: id };
    const execution = {
      id,
      executionId: id,
      startTime: now(),
      reserved: 0,
      reserveOnRecord: (more: number) => reserveOnRecord(key, more),
    };
    const Item = {
      ...executionKey(key),
      status: "Running",
    };
    await db.client.send(new PutCommand({ TableName: db.table, Item }));
    return execution;
  };
  const end = (
    execution: { id: string },
    amounts: { cost: number; reserved: number; amount?: number },
  ) =>
    transact(db, [
      {
        Update: {
          Key: executionKey(
            toExecutionKey({ ...execution, tenantId: tenantId(), agentId: "hello" }),
          ),
          UpdateExpression: "SET #status = :done",
          ConditionExpression: "#status = :running",
          ExpressionAttributeNames: { "#status": "status" },
          ExpressionAttributeValues: { ":done": "Succeeded", ":running": "Running" },
        },
      },
      ...settleSpend(
        tenantId(),
        { ...execution, agentId: "hello", startTime: now() },
        { amount: 10, ...amounts },
      ),
    ]);
  const reservedOnRecord = async (execution: { id: string }) => {
    const { sk } = executionKey(
      toExecutionKey({ ...execution, tenantId: tenantId(), agentId: "hello" }),
    );
    return (await db.scan()).find((item) => item.sk === sk)?.reserved;
  };

  describe("when it is set", () => {
    test("is stored on the agent and keeps its creation time", async () => {
      const created = await put({ amount: 50, thresholdRules: [{ percent: 80 }] });
      expect(created).toEqual({
        agentId: "hello",
        amount: 50,
        thresholdRules: [{ percent: 80 }],
        enforceLimit: false,
        allowUnpriced: false,
        currentMonthlyCost: 0,
        usagePercent: 0,
        periodStart: Date.UTC(2026, 10, 1),
        periodEnd: Date.UTC(2026, 11, 1),
        createdAt: now(),
        modifiedAt: now(),
      });
      tenant.advance(5);
      const changed = await put({ amount: 20, enforceLimit: true });
      expect(changed).toMatchObject({
        amount: 20,
        thresholdRules: [],
        enforceLimit: true,
        createdAt: created.createdAt,
        modifiedAt: created.createdAt + 5,
      });
      expect((await agent()).budget).toMatchObject({ amount: 20, enforceLimit: true });
    });

    test("can be deleted repeatedly, and is new when it is set again", async () => {
      await put({ amount: 50 });
      const record = { pk: `record of ${tenantId()}`, sk: "s" };
      const recording = withCompanions(db, () => [{ Put: { Item: record } }]);
      expect(await removeBudget(db, tenantId(), "hello")).toBe(true);
      expect(await removeBudget(recording, tenantId(), "hello")).toBe(true);
      expect(await getItem(db, record, z.unknown())).toBeUndefined();
      expect((await agent()).budget).toBeNull();
      tenant.advance(5);
      expect(await put({ amount: 50 })).toMatchObject({ createdAt: now() });
    });

    test("requires an agent", async () => {
      await deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
      await expect(put({ amount: 1 })).rejects.toMatchObject({ slug: "not-found" });
      expect(await removeBudget(db, tenantId(), "hello")).toBe(false);
    });

    test("set by concurrent calls is that of one of them, with one creation time", async () => {
      const savedBudgets = await Promise.all(
        [1, 2, 3, 4].map((amount) => {
          tenant.advance(1);
          return put({ amount });
        }),
      );
      expect(new Set(savedBudgets.map(({ createdAt }) => createdAt)).size).toBe(1);
      expect([1, 2, 3, 4]).toContain((await agent()).budget?.amount);
    });

    test.each([
      [{ amount: 0 }, ["amount"]],
      [{ amount: -1 }, ["amount"]],
      [{ amount: Number.POSITIVE_INFINITY }, ["amount"]],
      [{ amount: 1e300 }, ["amount"]],
      [{ amount: "5" }, ["amount"]],
      [{}, ["amount"]],
      [{ amount: 1, thresholdRules: [{ percent: 0 }] }, ["thresholdRules", 0, "percent"]],
      [{ amount: 1, thresholdRules: [{ percent: 1_001 }] }, ["thresholdRules", 0, "percent"]],
      [
        { amount: 1, thresholdRules: [{ percent: 5 }, { percent: 5 }] },
        ["thresholdRules", 1, "percent"],
      ],
      [
        { amount: 1, thresholdRules: Array.from({ length: 21 }, (_, at) => ({ percent: at + 1 })) },
        ["thresholdRules"],
      ],
      [{ amount: 1, enforceLimit: "yes" }, ["enforceLimit"]],
    ])("%j is refused with its place", (body, path) => {
      expect(PutBudgetBody.safeParse(body).error?.issues[0]?.path).toEqual(path);
    });

    test("accepts its smallest and largest amounts", async () => {
      expect(await put({ amount: 1e-12 })).toMatchObject({ amount: 1e-12 });
      expect(await put({ amount: 1e12 })).toMatchObject({ amount: 1e12 });
    });
  });

  describe("spending", () => {
    test("an execution without cost or reservation writes nothing", () => {
      const execution = { id: newUuid(tenant.ctx), agentId: "hello", startTime: now() };
      const free = { amount: 10, cost: 0, reserved: 0 };
      expect(settleSpend(tenantId(), execution, free)).toEqual([]);
    });

    test("an execution of an agent without a budget writes nothing", () => {
      const execution = { id: newUuid(tenant.ctx), agentId: "hello", startTime: now() };
      const costly = { amount: null, cost: 5, reserved: 0 };
      expect(settleSpend(tenantId(), execution, costly)).toEqual([]);
    });

    test("before the first budget of a month counts when it is set, once, and enforces it", async () => {
      tenant.advance(Date.UTC(2026, 11, 1) - 1 - now());
      await settle(100, null);
      tenant.advance(1);
      for (const cost of [0.1, 0.2, 0.3]) await settle(cost, null);
      expect(await put({ amount: 1, enforceLimit: true })).toMatchObject({
        currentMonthlyCost: 0.6,
      });
      expect(await readMonthSpend()).toMatchObject({ spent: 0.6, committed: 0.6 });
      expect(await check()).toEqual({ ok: true });
      await settle(0.1, 1);
      await put({ amount: 0.7, enforceLimit: true });
      expect(await check()).toMatchObject({ ok: false, exceeded: { currentMonthlyCost: 0.7 } });
      await removeBudget(db, tenantId(), "hello");
      await settle(0.2, null);
      expect(await put({ amount: 1, enforceLimit: true })).toMatchObject({
        currentMonthlyCost: 0.9,
      });
      expect(await readMonthSpend()).toMatchObject({ spent: 0.9, committed: 0.9 });
    });

    test("of executions that were running when the budget was set counts an hour later", async () => {
      await put({ amount: 1, enforceLimit: true });
      await settle(2, null);
      expect(await check()).toEqual({ ok: true });
      tenant.advance(3_600_000);
      expect(await check()).toMatchObject({ ok: false, exceeded: { currentMonthlyCost: 2 } });
      expect(await check()).toMatchObject({ ok: false, exceeded: { currentMonthlyCost: 2 } });
    });

    test("of a deleted agent is not that of a new one with its id", async () => {
      await put({ amount: 1 });
      await settle(0.3);
      await settle(0.00001);
      await deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
      const message = { type: "purge-agent", tenantId: tenantId(), agentId: "hello" } as const;
      const until = Number.MAX_SAFE_INTEGER;
      await purge(message, { ...tenant.deps, clock: tenant.ctx.clock, until });
      await tenant.createAgent("hello");
      expect(await put({ amount: 1 })).toMatchObject({ currentMonthlyCost: 0 });
      expect(await readMonthSpend()).toMatchObject({ spent: 0, committed: 0 });
    });

    test("sums have no rounding errors, and unused reservations are released", async () => {
      for (const cost of [0.1, 0.2, 0.3]) await settle(cost);
      expect(await readMonthSpend()).toMatchObject({ spent: 0.6, committed: 0.6 });
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      const guard = spendGuard({ db }, { tenantId: tenantId(), agent: await agent(), execution });
      await guard?.reserve({ spent: 0, estimate: 0.7 });
      expect(await readMonthSpend()).toMatchObject({ spent: 0.6, committed: 1.3 });
      await end(execution, { cost: 0.1, reserved: guard?.reserved() ?? 0 });
      expect(await readMonthSpend()).toMatchObject({ spent: 0.7, committed: 0.7 });
    });

    test("counts in the UTC month, up to and including its last millisecond", async () => {
      tenant.advance(Date.UTC(2026, 11, 1) - 1 - now());
      expect(toMonth(now())).toBe("2026-11");
      await settle(3);
      tenant.advance(1);
      await settle(4);
      expect((await readMonthSpend("2026-11")).spent).toBe(3);
      expect((await readMonthSpend("2026-12")).spent).toBe(4);
      expect(await put({ amount: 16 })).toMatchObject({
        currentMonthlyCost: 4,
        usagePercent: 25,
        periodStart: Date.UTC(2026, 11, 1),
        periodEnd: Date.UTC(2027, 0, 1),
      });
    });
  });

  describe("before an execution starts", () => {
    test("is not read when there is none or it is not enforced", async () => {
      await settle(100);
      const without = await agent();
      await put({ amount: 1, enforceLimit: false });
      const warning = await agent();
      db.calls.length = 0;
      expect(await checkBudget(alerting(), { tenantId: tenantId(), agent: without })).toEqual({
        ok: true,
      });
      expect(await checkBudget(alerting(), { tenantId: tenantId(), agent: warning })).toEqual({
        ok: true,
      });
      expect(db.calls).toEqual([]);
      for (const agent of [without, warning]) {
        expect(
          spendGuard({ db }, { tenantId: tenantId(), agent: agent, execution: await start() }),
        ).toBeUndefined();
      }
    });

    test("is exceeded when it is spent, to the cent", async () => {
      await put({ amount: 0.3, enforceLimit: true });
      await settle(0.1);
      await settle(0.199999);
      expect(await check()).toEqual({ ok: true });
      await settle(0.000001);
      expect(await check()).toMatchObject({
        ok: false,
        exceeded: {
          agentId: "hello",
          amount: 0.3,
          enforceLimit: true,
          currentMonthlyCost: 0.3,
          usagePercent: 100,
        },
      });
    });

    test("includes the reservations of running executions", async () => {
      await put({ amount: 1, enforceLimit: true });
      const guard = spendGuard(
        { db },
        { tenantId: tenantId(), agent: await agent(), execution: await start() },
      );
      await guard?.reserve({ spent: 0, estimate: 1 });
      expect(await check()).toMatchObject({ ok: false });
    });

    test("starts again in the next month", async () => {
      await put({ amount: 1, enforceLimit: true });
      await settle(2);
      expect(await check()).toMatchObject({ ok: false });
      tenant.advance(Date.UTC(2026, 11, 1) - now());
      expect(await check()).toEqual({ ok: true });
    });

    test("changed within a month applies immediately: a lower amount refuses, a higher one allows", async () => {
      await put({ amount: 10, enforceLimit: true });
      await settle(6);
      expect(await check()).toEqual({ ok: true });
      await put({ amount: 5, enforceLimit: true });
      expect(await check()).toMatchObject({ ok: false });
      await put({ amount: 7, enforceLimit: true });
      expect(await check()).toEqual({ ok: true });
      await put({ amount: 6, enforceLimit: false });
      expect(await check()).toEqual({ ok: true });
    });

    test("enforced within a month includes earlier spending", async () => {
      await settle(6);
      await put({ amount: 5 });
      expect(await check()).toEqual({ ok: true });
      await put({ amount: 5, enforceLimit: true });
      expect(await check()).toMatchObject({
        ok: false,
        exceeded: { currentMonthlyCost: 6, usagePercent: 120 },
      });
    });
  });

  describe("while executions run", () => {
    const buildGuard = async (execution: Omit<GuardedExecution, "reserved">, reserved = 0) => {
      const guard = spendGuard(
        { db },
        { tenantId: tenantId(), agent: await agent(), execution: { ...execution, reserved } },
      );
      if (!guard) throw new Error("no guard");
      return guard;
    };

    test("calls storage only to reserve more than the execution holds", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      const guard = await buildGuard(execution);
      await guard.reserve({ spent: 0, estimate: 2 });
      db.calls.length = 0;
      await guard.reserve({ spent: 0.5, estimate: 1.5 });
      await guard.reserve({ spent: 0, estimate: 0 });
      expect(db.calls).toEqual([]);
      await guard.reserve({ spent: 1.5, estimate: 1.5 });
      expect(db.calls).toEqual(["TransactWriteItems"]);
      expect(guard.reserved()).toBe(3);
      expect(await reservedOnRecord(execution)).toBe(3);
      expect((await readMonthSpend()).committed).toBe(3);
    });

    test("parallel steps each include the reservations of the others", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      const guard = await buildGuard(execution);
      await Promise.all([0, 1, 2].map((spent) => guard.reserve({ spent, estimate: 1 })));
      expect(guard.reserved()).toBe(3);
      expect(await reservedOnRecord(execution)).toBe(3);
      expect((await readMonthSpend()).committed).toBe(3);
    });

    test("a run that is continued uses the reservation in its record", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      await (await buildGuard(execution)).reserve({ spent: 0, estimate: 2 });
      const next = await buildGuard(execution, 2);
      await next.reserve({ spent: 1, estimate: 2 });
      expect(next.reserved()).toBe(3);
      expect(await reservedOnRecord(execution)).toBe(3);
      expect((await readMonthSpend()).committed).toBe(3);
    });

    test("a refusal has advice and reserves nothing; a higher amount allows the next run", {
      tags: "nightly",
    }, async () => {
      await put({ amount: 1, enforceLimit: true });
      await settle(1);
      const execution = await start();
      const guard = await buildGuard(execution);
      await expect(guard.reserve({ spent: 0, estimate: 0.5 })).rejects.toMatchObject({
        name: "StepError",
        slug: "budget-exceeded",
        message: expect.stringMatching(/hello.*1 USD.*Increase it.*next month/),
      });
      expect(guard.reserved()).toBe(0);
      expect(await reservedOnRecord(execution)).toBeUndefined();
      expect((await readMonthSpend()).committed).toBe(1);
      await put({ amount: 2, enforceLimit: true });
      await (await buildGuard(execution)).reserve({ spent: 0, estimate: 0.5 });
    });

    test("a model without a price is refused with advice, unless the budget allows it", async () => {
      await put({ amount: 1, enforceLimit: true });
      const guard = await buildGuard(await start());
      expect(() => guard.checkUnpriced("mine/llama")).toThrow(
        expect.objectContaining({
          slug: "execution-failed",
          message: expect.stringMatching(/mine\/llama.*hello.*MODEL_PRICES.*allowUnpriced/),
        }),
      );
      expect(await put({ amount: 1, enforceLimit: true, allowUnpriced: true })).toMatchObject({
        allowUnpriced: true,
      });
      expect((await buildGuard(await start())).checkUnpriced("mine/llama")).toBeUndefined();
    });

    test("an ended execution reserves nothing more", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      const guard = await buildGuard(execution);
      await guard.reserve({ spent: 0, estimate: 1 });
      await end(execution, { cost: 1, reserved: guard.reserved() });
      await expect(guard.reserve({ spent: 1, estimate: 1 })).rejects.toMatchObject({
        slug: "execution-failed",
      });
      expect(await readMonthSpend()).toMatchObject({ spent: 1, committed: 1 });
    });

    test("a failed write reserves nothing and can be retried", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      const guard = await buildGuard(execution);
      db.failNext("TransactWriteItems");
      await expect(guard.reserve({ spent: 0, estimate: 1 })).rejects.toThrow("planned failure");
      expect(guard.reserved()).toBe(0);
      await guard.reserve({ spent: 0, estimate: 1 });
      expect((await readMonthSpend()).committed).toBe(1);
    });

    test("belongs to the month in which the execution started", async () => {
      await put({ amount: 10, enforceLimit: true });
      const execution = await start();
      tenant.advance(Date.UTC(2026, 11, 1) - now());
      await (await buildGuard(execution)).reserve({ spent: 0, estimate: 1 });
      expect((await readMonthSpend("2026-11")).committed).toBe(1);
      expect((await readMonthSpend("2026-12")).committed).toBe(0);
    });

    test.each([
      ["above", [1.7]],
      ["at", [1]],
      ["below", [0.4]],
      ["above, at and below", [1.7, 1, 0.4]],
    ])(
      "fifty concurrent runs with calls that cost %s the estimate exceed it by one call at most",
      { tags: "nightly" },
      async (_, costs) => {
        const amount = 12.5;
        const estimate = 1;
        await put({ amount, enforceLimit: true });
        const runs = await Promise.all(
          Array.from({ length: 50 }, async (_, at) => {
            const execution = await start();
            const real = costs[at % costs.length] ?? 0;
            return { execution, real, guard: await buildGuard(execution), cost: 0, refused: false };
          }),
        );
        await Promise.all(
          runs.map(async (run) => {
            for (let turn = 0; turn < 3 && !run.refused; turn += 1) {
              await run.guard.reserve({ spent: run.cost, estimate }).then(
                () => {
                  run.cost += run.real;
                },
                (error: unknown) => {
                  expect(error).toMatchObject({ slug: "budget-exceeded" });
                  run.refused = true;
                },
              );
            }
          }),
        );
        const sum = (of: (run: (typeof runs)[number]) => number) =>
          runs.reduce((total, run) => total + of(run), 0);
        /** For the next call, and for the cost of the one before beyond its estimate. */
        const oneCall = estimate + Math.max(0, ...costs.map((real) => real - estimate));
        const { committed } = await readMonthSpend();
        expect(committed).toBeCloseTo(
          sum(({ guard }) => guard.reserved()),
          9,
        );
        expect(committed).toBeGreaterThanOrEqual(amount);
        expect(committed).toBeLessThan(amount + oneCall);
        const beyondEstimates = sum(({ cost, guard }) => Math.max(0, cost - guard.reserved()));
        expect(sum(({ cost }) => cost)).toBeLessThan(amount + oneCall + beyondEstimates);
        expect(sum(({ cost }) => cost)).toBeGreaterThan(0);
        expect(runs.every(({ refused, cost, real }) => refused || cost >= 3 * real - 1e-9)).toBe(
          true,
        );
        expect(await check()).toMatchObject({ ok: false });

        await Promise.all(
          runs.map(({ execution, cost, guard }) =>
            end(execution, { cost, reserved: guard.reserved() }),
          ),
        );
        const settled = await readMonthSpend();
        expect(settled.spent).toBeCloseTo(
          sum(({ cost }) => cost),
          9,
        );
        expect(settled.committed).toBe(settled.spent);
      },
    );
  });

  describe("with calls that are small for it", () => {
    const amount = 100;
    const estimate = 0.01;
    const listSpendShards = async () =>
      (await db.scan()).filter(({ pk }) =>
        String(pk).startsWith(`TENANT#${tenantId()}#AGENT#hello#SPEND#`),
      );

    test("spending is in eight partitions, and the month's item is written for one call in ten", {
      tags: "nightly",
    }, async () => {
      await put({ amount, enforceLimit: true });
      for (let run = 0; run < 80; run += 1) {
        const execution = await start();
        const guard = spendGuard({ db }, { tenantId: tenantId(), agent: await agent(), execution });
        await guard?.reserve({ spent: 0, estimate });
        await transact(
          db,
          settleSpend(
            tenantId(),
            { ...execution, agentId: "hello" },
            { amount, cost: 0.005, reserved: guard?.reserved() ?? 0 },
          ),
        );
      }
      expect(await listSpendShards()).toHaveLength(8);
      expect(await readMonthSpend()).toMatchObject({ spent: 0.4, committed: 0.4 });
      const month = await getItem(
        db,
        monthSpendKey(tenantId(), "hello", toMonth(now())),
        z.object({ committed: z.number(), spent: z.number().default(0) }),
      );
      expect(month).toEqual({ committed: 0.8, spent: 0 });
    });

    test.each([0.01, 0.013, 0.004])(
      "concurrent executions stay within it but for one call, and use all of it, when a call costs %d",
      { tags: "nightly" },
      async (real) => {
        await put({ amount, enforceLimit: true });
        await settle(99.5);
        const runs = await Promise.all(
          Array.from({ length: 40 }, async () => {
            const execution = await start();
            const guard = spendGuard(
              { db },
              { tenantId: tenantId(), agent: await agent(), execution },
            );
            if (!guard) throw new Error("no guard");
            return { execution, guard, cost: 0, refused: false };
          }),
        );
        await Promise.all(
          runs.map(async (run) => {
            while (!run.refused) {
              await run.guard.reserve({ spent: run.cost, estimate }).then(
                () => {
                  run.cost += real;
                },
                (error: unknown) => {
                  expect(error).toMatchObject({ slug: "budget-exceeded" });
                  run.refused = true;
                },
              );
            }
          }),
        );
        const { committed } = await readMonthSpend();
        const reserved = runs.reduce((sum, { guard }) => sum + guard.reserved(), 0);
        expect(committed).toBeCloseTo(99.5 + reserved, 9);
        expect(committed).toBeGreaterThanOrEqual(amount);
        expect(committed).toBeLessThan(amount + Math.max(estimate, real));
        await Promise.all(
          runs.map(({ execution, cost, guard }) =>
            end(execution, { amount, cost, reserved: guard.reserved() }),
          ),
        );
        const settled = await readMonthSpend();
        expect(settled.committed).toBe(settled.spent);
      },
    );
  });

  describe("with thresholds", () => {
    test("all are published once a month, whatever reaches them", { tags: "nightly" }, async () => {
      const thresholdRules = [{ percent: 100 }, { percent: 50 }, { percent: 57 }];
      await put({ amount: 1, thresholdRules });
      expect(await cross()).toEqual([]);
      await settle(0.57);
      expect(await cross()).toEqual([50, 57]);
      expect(await cross()).toEqual([]);
      tenant.sent.length = 0;
      await put({ amount: 0.5, thresholdRules });
      expect(listPercents()).toEqual([100]);
      expect(await cross()).toEqual([]);
      await put({ amount: 100, thresholdRules });
      await put({ amount: 0.1, thresholdRules });
      expect(await cross()).toEqual([]);
      tenant.advance(Date.UTC(2026, 11, 1) - now());
      await settle(0.06);
      expect(await cross()).toEqual([50, 57]);
    });

    test("is published by a refused run if the run that reached it failed before it could", async () => {
      await put({ amount: 1, thresholdRules: [{ percent: 100 }], enforceLimit: true });
      await settle(1);
      tenant.sent.length = 0;
      expect(await check()).toMatchObject({ ok: false });
      expect(await check()).toMatchObject({ ok: false });
      expect(listPercents()).toEqual([100]);
    });

    test("is published once by concurrent readers", async () => {
      const thresholdRules = [{ percent: 12.5 }, { percent: 80 }, { percent: 1_000 }];
      await put({ amount: 1, thresholdRules });
      await settle(0.8);
      const crossed = await Promise.all(Array.from({ length: 20 }, cross));
      expect(crossed.flat().toSorted((one, other) => one - other)).toEqual([12.5, 80]);
    });

    test("costs no call when there are none", async () => {
      await put({ amount: 1 });
      const found = await agent();
      db.calls.length = 0;
      const without = { ...found, budget: null };
      expect(
        await crossThresholds(alerting(), {
          tenantId: tenantId(),
          agent: found,
          month: toMonth(now()),
        }),
      ).toEqual([]);
      expect(
        await crossThresholds(alerting(), {
          tenantId: tenantId(),
          agent: without,
          month: toMonth(now()),
        }),
      ).toEqual([]);
      expect(db.calls).toEqual([]);
    });
  });
});
