import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { reportUsage } from "../../spending/usage/report-usage.ts";
import { listExperimentResults, putResult } from "./result-store.ts";

test("a run that is scored twice has the first result, and both calls of its judge count", async () => {
  const db = await testDatabase();
  const { ctx } = testTenant(db);
  const tenantId = ctx.tenant.id;
  const place = { tenantId, experimentId: newUuid(ctx) };
  const id = newUuid(ctx);
  const run = { revision: 1, exampleId: "e", repetition: 1 };
  const cost = { ...noCost, inputCost: 0.01, totalCost: 0.01 };
  const models = [
    { providerId: "p", modelId: "m", tokens: { ...noTokens, inputTokens: 10 }, cost, priced: true },
  ];
  const score = (value: number) =>
    putResult(db, place, run, {
      result: {
        executionId: id,
        status: "Succeeded",
        error: null,
        scores: [{ scorer: "judge", value, passed: true, comment: null, cost: 0.01 }],
        cost: 0.01,
        priced: true,
        durationMs: 1,
        cut: null,
      },
      calls: { id, at: ctx.clock(), models },
    });
  await score(0.9);
  await score(0.1);
  const { items } = await listExperimentResults(db, place, undefined, { size: 10, skip: 0 });
  expect(items).toMatchObject([{ scores: [{ value: 0.9 }] }]);
  const day = new Date(ctx.clock()).toISOString().slice(0, 10);
  const days = { from: day, to: day, groupBy: "agent" as const };
  expect((await reportUsage(db, tenantId, days)).items).toMatchObject([
    { key: "(experiments)", inputTokens: 20, totalCost: 0.02 },
  ]);
});
