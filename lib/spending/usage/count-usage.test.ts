import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { transact } from "../../platform/db/transact.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import {
  type CountedExecution,
  countUsage,
  type ModelUsage,
  withoutModels,
} from "./count-usage.ts";
import { sumMeasures } from "./measures.ts";
import { readUsage, toModelUsages, toRevisionCost } from "./read-usage.ts";
import { readAgentUsage } from "./store.ts";

const day = 24 * 3_600_000;

describe("usage counters", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await tenant.createAgent("a");
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const now = () => tenant.ctx.clock();
  const execution = (change: Partial<CountedExecution> = {}): CountedExecution => {
    const startTime = change.startTime ?? now();
    return {
      id: uuidAt(startTime, crypto.getRandomValues(new Uint8Array(16))),
      agentId: "a",
      agentRevision: 1,
      startTime,
      status: "Succeeded",
      trigger: { type: 0 },
      ...change,
    };
  };
  const model = (modelId: string, inputTokens = 1, totalCost = 0): ModelUsage => ({
    providerId: "p",
    modelId,
    tokens: { ...noTokens, inputTokens },
    cost: { ...noCost, inputCost: totalCost, totalCost },
    priced: true,
  });
  const count = (one: CountedExecution, ...models: ModelUsage[]) =>
    transact(db, [countUsage(tenantId(), one, { models })]);
  const read = () =>
    readUsage(tenant.deps, { tenantId: tenantId(), agentId: "a", revision: "*", now: now() });
  const counters = () => readAgentUsage(db, tenantId(), "a", { since: now(), now: now() });
  const items = async () =>
    (await db.scan()).filter(({ pk }) => String(pk).startsWith(`TENANT#${tenantId()}#USAGE#`));

  test("one write counts an execution, in at most 1 KB for one model with the longest names", async () => {
    const longest = {
      providerId: "p".repeat(128),
      modelId: "m".repeat(256),
      tokens: {
        inputTokens: 123_456_789_012,
        outputTokens: 123_456_789_012,
        cachedTokens: 123_456_789_012,
        thinkingTokens: 123_456_789_012,
      },
      cost: {
        inputCost: 1_234.123456789012,
        outputCost: 1_234.123456789012,
        cachedCost: 1_234.123456789012,
        thinkingCost: 1_234.123456789012,
        totalCost: 1_234.123456789012,
      },
      priced: true,
    };
    await count(execution({ agentId: "a".repeat(128), status: "Failed" }), longest);
    const [item = {}] = await items();
    const bytes = Object.entries(item).reduce((sum, [name, value]) => {
      const size = typeof value === "number" ? 10 : value instanceof Set ? 400 : `${value}`.length;
      return sum + name.length + size;
    }, 0);
    expect(bytes).toBeLessThan(1_024);
  });

  test("are one item per agent, revision, day, trigger type and shard", async () => {
    const first = execution();
    await count(first, model("m"));
    await count({ ...first }, model("m"), model("n"));
    expect(await items()).toHaveLength(1);
    await count({ ...first, agentRevision: 2 });
    await count({ ...first, trigger: { type: 2 } });
    await count({ ...first, startTime: first.startTime + day });
    await count({ ...first, agentId: "b" });
    expect(await items()).toHaveLength(5);
  });

  test("concurrent ends are all counted, exactly", { tags: "nightly" }, async () => {
    const costs = [0.1, 0.2, 0.000000000001];
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        count(
          execution({ status: at % 10 === 0 ? "TimedOut" : "Succeeded" }),
          model(`m${at % 2}`, at, costs[at % 3]),
        ),
      ),
    );
    const usages = await counters();
    const calls = sumMeasures(usages.flatMap(({ models }) => models));
    expect(sumMeasures(usages.map(({ executions }) => executions))).toMatchObject({
      executionCount: 60,
      failedCount: 6,
    });
    expect(calls).toMatchObject({ inputTokens: 1_770, totalCost: 6.00000000002 });
    expect(new Set((await items()).map(({ sk }) => sk)).size).toBeGreaterThan(1);
  });

  test("an item with 50 models counts further ones as others", async () => {
    const first = execution();
    for (let at = 0; at < 60; at += 20) {
      const models = Array.from({ length: 20 }, (_, next) => model(`m${at + next}`));
      expect(await count(first, ...models)).toEqual({ written: true });
    }
    const known = Array.from({ length: 20 }, (_, next) => model(`m${next}`));
    expect(await count(first, ...known)).toEqual({ written: true });
    const refused = [model("m0"), model("new", 5)];
    expect(await count(first, ...refused)).toEqual({ written: false, failed: [true] });
    const folded = withoutModels({ models: refused });
    expect(await count(first, ...folded.models)).toEqual({ written: true });
    const entries = toModelUsages(0, await read());
    expect(entries).toHaveLength(61);
    expect(entries.find(({ modelId }) => modelId === "(others)")?.inputTokens).toBe(6);
    expect(sumMeasures(entries).inputTokens).toBe(86);
  });

  test("are summed since the agent was created, over months", async () => {
    await count(execution({ startTime: now() - day }), model("m", 100));
    await count(execution(), model("m", 1));
    tenant.advance(40 * day);
    await count(execution(), model("m", 2));
    tenant.advance(300 * day);
    await count(execution(), model("m", 4));
    expect(toRevisionCost("a", 0, await read())).toMatchObject({
      executionCount: 3,
      inputTokens: 7,
    });
  });
});
