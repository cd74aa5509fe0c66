import { PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listAgentsOf, listAllAgents } from "../../../infra/migration/list-agents.ts";
import { migrateAgents } from "../../../infra/migration/migrate-agents.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { agentPartition } from "../../platform/db/keys.ts";
import { transact } from "../../platform/db/transact.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { toStored } from "../execution/items.ts";
import { executionKey, ownShard } from "../execution/keys.ts";
import { countUsage } from "./count-usage.ts";
import { divide } from "./distribute.ts";
import { sumMeasures } from "./measures.ts";
import { migrateUsage } from "./migrate-usage.ts";
import { readUsage } from "./read-usage.ts";
import { reportUsage } from "./report-usage.ts";
import { toModelUsages, toRevisionCost } from "./sum-usage.ts";

const day = 24 * 3_600_000;

/** An execution, counted as earlier versions did. */
type Run = { daysAgo?: number; trigger?: number; models?: Record<string, number>; status?: string };

describe("migrating usage of earlier versions", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  let now: number;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await tenant.createAgent("a");
    tenant.advance(140 * day);
    now = tenant.ctx.clock();
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const pk = () => agentPartition(tenantId(), "a");
  const put = (Item: Record<string, unknown>) =>
    db.client.send(new PutCommand({ TableName: db.table, Item }));

  /** Prices with all 12 decimals. */
  const usageOf = (tokens: number) => {
    const [inputCost, outputCost] = [tokens * 0.000_000_000_137, tokens * 0.000_000_000_291];
    const round = (amount: number) => Number(amount.toFixed(12));
    return {
      tokens: { ...noTokens, inputTokens: tokens, outputTokens: 2 * tokens, thinkingTokens: 1 },
      cost: {
        ...noCost,
        inputCost: round(inputCost),
        outputCost: round(outputCost),
        totalCost: round(inputCost + outputCost),
      },
    };
  };

  const newRun = ({ daysAgo = 0, trigger = 0, models = { m: 7 }, status = "Succeeded" }: Run) => {
    const startTime = now - daysAgo * day;
    const id = uuidAt(startTime, crypto.getRandomValues(new Uint8Array(16)));
    const all = Object.entries(models).map(([modelId, tokens]) => ({
      modelId,
      ...usageOf(tokens),
    }));
    const sum = sumMeasures(all.map(({ tokens, cost }) => ({ ...tokens, ...cost })));
    return { id, startTime, trigger: { type: trigger }, status, all, sum };
  };
  type NewRun = ReturnType<typeof newRun>;

  const putRecord = ({ id, trigger, status, sum }: NewRun) => {
    const { executionCount: _e, failedCount: _f, thinkingTokens: _t, ...counts } = sum;
    const members = { agentRevision: 1, isSample: false, endTime: 1, ...counts };
    return put({
      ...executionKey({ tenantId: tenantId(), agentId: "a", executionId: id, shard: ownShard }),
      ...toStored(members),
      status,
      trigger: { ...trigger, id: "t" },
    });
  };

  const addEarlier = async ({ id, all, sum }: Pick<NewRun, "id" | "all" | "sum">) => {
    const shard = Number.parseInt(id.slice(-2), 16) % 8;
    const add = (sk: string, counts: object, names: Record<string, string>) => {
      const values = Object.entries({ ...counts, executionCount: 1 });
      const sets = Object.entries(names);
      return {
        Update: {
          Key: { pk: pk(), sk },
          UpdateExpression: `${sets.length > 0 ? `SET ${sets.map(([name]) => `${name} = :${name}`).join(", ")} ` : ""}ADD ${values.map(([name]) => `${name} :${name}`).join(", ")}`,
          ExpressionAttributeValues: Object.fromEntries(
            [...values, ...sets].map(([name, value]) => [`:${name}`, value]),
          ),
        },
      };
    };
    const { failedCount: _f, ...whole } = sum;
    await transact(db, [
      add(`USAGE#0000000001###${shard}`, whole, {}),
      ...all.map(({ modelId, tokens, cost }) =>
        add(
          `USAGE#0000000001#p#${modelId}#${shard}`,
          { ...tokens, ...cost },
          { providerId: "p", modelId },
        ),
      ),
    ]);
  };
  const runEarlier = async (runs: readonly Run[]) => {
    for (const each of runs.map(newRun)) {
      await putRecord(each);
      await addEarlier(each);
    }
  };

  const totals = async () => {
    const usages = await readUsage(db, tenantId(), { agentId: "a", revision: "*" }, now);
    const byName = toModelUsages(0, usages).toSorted((a, b) => (a.modelId < b.modelId ? -1 : 1));
    return { cost: toRevisionCost("a", 0, usages), models: byName };
  };
  const report = async (groupBy: "agent" | "trigger" = "agent") => {
    const [from, to] = [now - 139 * day, now].map((time) => new Date(time).toISOString());
    const days = { from: from?.slice(0, 10) ?? "", to: to?.slice(0, 10) ?? "" };
    return (await reportUsage(db, tenantId(), { ...days, groupBy, agent: "a" })).items;
  };
  const undated = async () =>
    (await db.scan()).filter((item) => item.pk === pk() && String(item.sk).startsWith("USAGE#"));
  const migrate = () => Array.fromAsync(migrateUsage({ db, clock: () => now }, tenantId(), "a"));
  const dateOf = (daysAgo: number) => new Date(now - daysAgo * day).toISOString().slice(0, 10);

  test("counts each execution on its day, by trigger type, and keeps every sum per revision and model", async () => {
    await runEarlier([
      { daysAgo: 40, trigger: 1, models: { m: 5, n: 11 } },
      { daysAgo: 40, trigger: 1, status: "Failed", models: {} },
      { daysAgo: 3, trigger: 0, models: { n: 3 } },
    ]);
    const before = await totals();
    await migrate();
    expect(await totals()).toEqual(before);
    expect(await undated()).toEqual([]);
    expect(await report()).toMatchObject([
      { date: dateOf(40), executionCount: 2, failedCount: 1, inputTokens: 16, outputTokens: 32 },
      { date: dateOf(3), executionCount: 1, failedCount: 0, inputTokens: 3, outputTokens: 6 },
    ]);
    expect((await report("trigger")).map(({ key }) => key)).toEqual(["1", "0"]);
  });

  test("a second run does nothing", async () => {
    await runEarlier([{}, { daysAgo: 2 }]);
    await migrate();
    const before = await db.scan();
    db.calls.length = 0;
    expect(await migrate()).toEqual([]);
    expect(db.calls).not.toContain("TransactWriteItems");
    expect(await db.scan()).toEqual(before);
  });

  test("usage without a record belongs to the earliest known day, without any to the day of creation", async () => {
    const lost = newRun({ models: { m: 100 } });
    await addEarlier(lost);
    await runEarlier([{ daysAgo: 5, models: { m: 1 } }, { models: { m: 2 } }]);
    await migrate();
    expect(await report()).toMatchObject([
      { date: dateOf(5), executionCount: 2, inputTokens: 101 },
      { date: dateOf(0), executionCount: 1, inputTokens: 2 },
    ]);
    await tenant.createAgent("b");
    await put({ ...(await noRecord()), pk: agentPartition(tenantId(), "b") });
    const steps = await Array.fromAsync(migrateUsage({ db, clock: () => now }, tenantId(), "b"));
    expect(steps).toEqual([{ type: "moved", revision: 1, counters: 1, days: 1 }]);
    const [usage] = await readUsage(db, tenantId(), { agentId: "b", revision: "*" }, now);
    expect(usage).toMatchObject({ executions: { executionCount: 9 }, day: dateOf(0), trigger: 0 });
  });
  const noRecord = async () => ({
    sk: "USAGE#0000000001###0",
    executionCount: 9,
    ...noTokens,
    ...noCost,
  });

  test("executions that are counted by day already are not counted again", async () => {
    const counted = newRun({ daysAgo: 1, models: { m: 50 } });
    await putRecord(counted);
    const models = counted.all.map((each) => ({ providerId: "p", ...each }));
    const execution = { ...counted, agentId: "a", agentRevision: 1 };
    await transact(db, [countUsage(tenantId(), execution, { models })]);
    await runEarlier([
      { daysAgo: 1, models: { m: 4 } },
      { daysAgo: 9, models: { m: 2 } },
    ]);
    const before = await totals();
    await migrate();
    expect(await totals()).toEqual(before);
    expect(await report()).toMatchObject([
      { date: dateOf(9), executionCount: 1, inputTokens: 2 },
      { date: dateOf(1), executionCount: 2, inputTokens: 54 },
    ]);
  });

  test("cut off between its transactions, sums are right, and the next run ends it on the same days", async () => {
    await runEarlier(
      Array.from({ length: 130 }, (_, daysAgo) => ({ daysAgo, models: { m: daysAgo + 1 } })),
    );
    const before = await totals();
    db.failNext("TransactWriteItems", 1);
    await expect(migrate()).rejects.toThrow("planned failure");
    expect((await undated()).length).toBeGreaterThan(0);
    expect(await totals()).toEqual(before);
    db.loseNextAnswer("TransactWriteItems");
    await expect(migrate()).rejects.toThrow("planned loss");
    expect(await totals()).toEqual(before);
    await migrate();
    expect(await undated()).toEqual([]);
    expect(await totals()).toEqual(before);
    const items = (await report()).map(({ date, executionCount, inputTokens }) => ({
      date,
      executionCount,
      inputTokens,
    }));
    expect(items).toEqual(
      Array.from({ length: 130 }, (_, at) => ({
        date: dateOf(129 - at),
        executionCount: 1,
        inputTokens: 130 - at,
      })),
    );
  });

  test("run by two at once while an earlier version counts, counts everything once", async () => {
    await runEarlier(
      Array.from({ length: 120 }, (_, at) => ({ daysAgo: at, models: { m: at, n: 2 } })),
    );
    const before = await totals();
    const late = Array.from({ length: 5 }, () => newRun({ models: { m: 1 } }));
    const isRight: boolean[] = [];
    const readMeanwhile = async () => {
      for (let reads = 0; reads < 5; reads += 1) {
        const { executionCount } = (await totals()).cost;
        isRight.push(executionCount >= 120 && executionCount <= 125);
      }
    };
    const addLate = async () => {
      for (const each of late) await putRecord(each).then(() => addEarlier(each));
    };
    await Promise.all([migrate(), migrate(), addLate(), readMeanwhile()]);
    await migrate();
    expect(isRight).toEqual(Array(5).fill(true));
    expect(await undated()).toEqual([]);
    const after = await totals();
    expect(after.cost.executionCount).toBe(before.cost.executionCount + 5);
    expect(after.cost.inputTokens).toBe(before.cost.inputTokens + 5);
    expect((await report()).reduce((sum, { executionCount }) => sum + executionCount, 0)).toBe(125);
  });

  test("a reader during a move sees each count once", async () => {
    await runEarlier([{ daysAgo: 2 }, {}]);
    const before = await totals();
    const read = db.client.send.bind(db.client);
    let moved: Promise<unknown> | undefined;
    // The move happens between reading counters without and with days.
    const client = Object.create(db.client, {
      send: {
        value: async (...args: Parameters<typeof read>) => {
          const input = JSON.stringify(args[0].input);
          if (input.includes("#USAGE#")) {
            moved ??= migrate();
            await moved;
          }
          return read(...args);
        },
      },
    });
    const usages = await readUsage(
      { ...db, client },
      tenantId(),
      { agentId: "a", revision: "*" },
      now,
    );
    expect(moved).toBeDefined();
    expect(toRevisionCost("a", 0, usages)).toEqual(before.cost);
  });

  test("conserves every sum for any counters and records", async () => {
    const amount = fc.nat({ max: 100_000 });
    const run = fc.record({
      daysAgo: fc.nat({ max: 60 }),
      trigger: fc.nat({ max: 5 }),
      models: fc.dictionary(fc.constantFrom("k", "l", "m", "n", "x/y"), amount),
      status: fc.constantFrom("Succeeded", "Failed", "Cancelled", "Running"),
    });
    const kind = fc.constantFrom("both", "record", "counter");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(run, kind), { maxLength: 12 }), async (runs) => {
        tenant = testTenant(db);
        await tenant.createAgent("a");
        tenant.advance(140 * day);
        for (const [each, has] of runs) {
          const made = newRun(each);
          if (has !== "counter") await putRecord(made);
          if (has !== "record") await addEarlier(made);
        }
        const before = await totals();
        await migrate();
        expect(await totals()).toEqual(before);
        expect(await undated()).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  test("finds the agents of all tenants, or of one, and reports when nothing is left to migrate", async () => {
    await runEarlier([{}]);
    const all = await Array.fromAsync(listAllAgents(db));
    expect(all).toContainEqual({ tenantId: tenantId(), agentId: "a" });
    const lines: string[] = [];
    const deps = { db, clock: () => now, print: (line: string) => lines.push(line) };
    const own = () => migrateAgents(deps, listAgentsOf(db, tenantId()));
    expect(await own()).toEqual({ agents: 1, counters: 2, changing: 0 });
    expect(lines).toEqual([`${tenantId()}/a: revision 1: 2 counters moved to 1 days`]);
    expect(await own()).toEqual({ agents: 1, counters: 0, changing: 0 });
  });

  test("many models and days fit into transactions", async () => {
    const models = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`m${at}`, at + 1]));
    await runEarlier(
      Array.from({ length: 45 }, (_, daysAgo) => ({
        daysAgo,
        models: daysAgo < 3 ? models : { m0: 1000 },
      })),
    );
    const before = await totals();
    await migrate();
    expect(await totals()).toEqual(before);
    expect(await undated()).toEqual([]);
    expect(await report()).toHaveLength(45);
  });

  test("does not change a counter that an earlier version changed since it was read", async () => {
    await runEarlier([{}]);
    const before = await totals();
    db.spoilNext(1);
    await migrate();
    expect(db.calls.filter((call) => call === "TransactWriteItems").length).toBeGreaterThan(1);
    expect(await totals()).toEqual(before);
  });
});

describe("dividing an amount", () => {
  test("gives whole shares that add up to it, none above its weight while the weights suffice", () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), weights, (amount, given) => {
        const whole = given.reduce((sum, each) => sum + each, 0n);
        const shares = divide(amount, given);
        const total = shares.reduce((sum, each) => sum + each, 0n);
        expect(total).toBe(whole === 0n ? 0n : amount);
        if (whole >= amount)
          expect(shares.every((each, at) => each <= (given[at] ?? 0n))).toBe(true);
        expect(shares.every((each) => each >= 0n)).toBe(true);
      }),
    );
  });
});
