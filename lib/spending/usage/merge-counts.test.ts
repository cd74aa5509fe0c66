import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { countUsage, type ModelUsage, mergeCounts } from "./count-usage.ts";
import { readUsage } from "./read-usage.ts";

describe("merged counters", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const model = (modelId: string, priced = true): ModelUsage => ({
    providerId: "p",
    modelId,
    tokens: { ...noTokens, inputTokens: 3, outputTokens: 2 },
    cost: { ...noCost, inputCost: 0.25, totalCost: 0.25 },
    priced,
  });
  const write = (
    tenant: ReturnType<typeof testTenant>,
    models: readonly ModelUsage[],
    change: { status?: string; agentRevision?: number } = {},
  ): TransactionWrite =>
    countUsage(
      tenant.ctx.tenant.id,
      {
        // Selects the shard.
        id: "0193f0a0-7c4b-7000-8000-000000000000",
        agentId: "a",
        agentRevision: 1,
        startTime: tenant.ctx.clock(),
        status: "Succeeded",
        trigger: { type: 2 },
        ...change,
      },
      { models },
    );
  const read = async (tenant: ReturnType<typeof testTenant>) =>
    readUsage(tenant.deps, {
      tenantId: tenant.ctx.tenant.id,
      agentId: "a",
      revision: "*",
      now: tenant.ctx.clock(),
    });
  const build = (tenant: ReturnType<typeof testTenant>) => [
    write(tenant, []),
    write(tenant, [model("m-1"), model("m-2", false)]),
    write(tenant, [model("m-1")], { status: "Failed" }),
    write(tenant, [], { status: "Failed" }),
    write(tenant, [model("m-3")]),
  ];

  test("add what their executions add one by one, whatever their models and results", async () => {
    const [single, merged] = [testTenant(db), testTenant(db)];
    for (const tenant of [single, merged]) await tenant.createAgent("a");
    for (const one of build(single)) await transact(db, [one]);
    const all = build(merged).reduce<TransactionWrite | undefined>(
      (sum, one) => sum && mergeCounts(sum, one),
      write(merged, [model("m-1")]),
    );
    await transact(db, [write(single, [model("m-1")])]);
    expect(await transact(db, all ? [all] : [])).toEqual({ written: true });
    expect(await read(merged)).toEqual(await read(single));
    const items = (await db.scan()).filter(({ pk }) =>
      String(pk).startsWith(`TENANT#${merged.ctx.tenant.id}#USAGE#`),
    );
    expect(items).toHaveLength(1);
  });

  test("are those of one agent, revision, trigger and day, with at most 20 models", () => {
    const [one, other] = [testTenant(db), testTenant(db)];
    expect(mergeCounts(write(one, []), write(other, []))).toBeUndefined();
    expect(mergeCounts(write(one, []), write(one, [], { agentRevision: 2 }))).toBeUndefined();
    const models = (from: number) => Array.from({ length: 11 }, (_, at) => model(`n-${from + at}`));
    expect(mergeCounts(write(one, models(0)), write(one, models(11)))).toBeUndefined();
    const today = write(one, []);
    one.advance(86_400_000);
    expect(mergeCounts(today, write(one, []))).toBeUndefined();
  });
});
