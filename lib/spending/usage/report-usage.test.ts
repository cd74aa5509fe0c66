import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { transact } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { countUsage } from "./count-usage.ts";
import { readUsage, toRevisionCost } from "./read-usage.ts";
import { reportUsage } from "./report-usage.ts";

const day = 24 * 3_600_000;

describe("a usage report", () => {
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
  const run = (agentId: string, inputTokens: number) =>
    transact(db, [
      countUsage(
        tenantId(),
        {
          id: newUuid(tenant.ctx),
          agentId,
          agentRevision: 1,
          startTime: now(),
          status: "Succeeded",
          trigger: { type: 0 },
        },
        {
          models: [
            {
              providerId: "p",
              modelId: "m",
              tokens: { ...noTokens, inputTokens },
              cost: noCost,
              priced: true,
            },
          ],
        },
      ),
    ]);
  const report = (from: string, to: string) =>
    reportUsage(db, tenantId(), { from, to, groupBy: "agent" });
  const whole = async () =>
    toRevisionCost(
      "a",
      0,
      await readUsage(tenant.deps, {
        tenantId: tenantId(),
        agentId: "a",
        revision: "*",
        now: now(),
      }),
    ).inputTokens;

  test("has exactly the days from and to, over the ends of months and years", async () => {
    const start = Date.UTC(2026, 11, 30, 23, 59, 59, 999);
    tenant.advance(start - now());
    for (const tokens of [1, 2, 3, 4]) {
      await run("a", tokens);
      tenant.advance(tokens === 1 ? 1 : day);
    }
    const { items } = await report("2026-12-31", "2027-01-01");
    expect(items.map(({ date, inputTokens }) => [date, inputTokens])).toEqual([
      ["2026-12-31", 2],
      ["2027-01-01", 3],
    ]);
  });

  test("of all agents costs four queries a month, however many agents there are", {
    tags: "nightly",
  }, async () => {
    for (let agent = 0; agent < 20; agent += 1) await run(`agent-${agent}`, 1);
    db.calls.length = 0;
    expect((await report("2026-11-01", "2026-11-30")).items).toHaveLength(20);
    expect(db.calls).toEqual(["Query", "Query", "Query", "Query"]);
    db.calls.length = 0;
    await report("2026-01-15", "2027-01-15");
    expect(db.calls).toHaveLength(13 * 4);
  });

  test("includes deleted agents, apart from a new agent with the same id", {
    tags: "nightly",
  }, async () => {
    await run("a", 1);
    tenant.advance(1);
    await run("a", 2);
    await deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "a" });
    const message = { type: "purge-agent", tenantId: tenantId(), agentId: "a" } as const;
    const until = Number.MAX_SAFE_INTEGER;
    await purge(message, { ...tenant.deps, clock: tenant.ctx.clock, until });
    await tenant.createAgent("a");
    expect(await whole()).toBe(0);
    await run("a", 4);
    expect(await whole()).toBe(4);
    expect((await report("2026-11-20", "2026-11-20")).items).toMatchObject([
      { key: "a", executionCount: 3, inputTokens: 7 },
    ]);
  });

  test.each([
    ["query/from", "2026-11-02", "2026-11-01"],
    ["query/to", "2026-01-01", "2027-01-02"],
  ])("refuses a wrong range with the pointer %s", async (pointer, from, to) => {
    await expect(report(from, to)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer }] },
    });
    await expect(report("2026-01-01", "2027-01-01")).resolves.toEqual({ items: [] });
  });
});
