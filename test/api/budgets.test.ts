import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { noCost, noTokens } from "../../lib/engine/models/sums.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { transact } from "../../lib/platform/db/transact.ts";
import { uuidAt } from "../../lib/platform/runtime/runtime.ts";
import { countUsage } from "../../lib/spending/usage/count-usage.ts";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { tableOfStack } from "../harness/stack-table.ts";

describe("an agent's budget", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const path = "/agents/a/budget";
  const body = { amount: 40, thresholdRules: [{ percent: 80 }], enforceLimit: true };

  beforeAll(async () => {
    own = await newOrganization();
  });

  beforeEach(async () => {
    await own.try("POST", "/agents", { body: { id: "a", displayName: "A" } });
    await own.send("DELETE", path);
  });

  test("is 404 until it is set, then reads as it was set, with the month around it", async () => {
    expect(expectProblem(await own.try("GET", path))).toMatchObject({
      slug: "not-found",
      status: 404,
    });
    const put = await own.try("PUT", path, { body });
    expect(put.status).toBe(200);
    const { body: read } = await own.send("GET", path);
    expect(read).toEqual(put.body);
    expect(read).toMatchObject({ agentId: "a", ...body, currentMonthlyCost: 0, usagePercent: 0 });
    const { periodStart, periodEnd } = z
      .object({ periodStart: z.int(), periodEnd: z.int() })
      .parse(read);
    expect(new Date(periodStart).toISOString()).toMatch(/-01T00:00:00.000Z$/);
    expect(new Date(periodEnd).toISOString()).toMatch(/-01T00:00:00.000Z$/);
    expect(periodStart).toBeLessThanOrEqual(Date.now());
    expect(periodEnd).toBeGreaterThan(Date.now());
  });

  test("can be sent back as it was read; omitted members are cleared", async () => {
    await own.send("PUT", path, body);
    const { body: read } = await own.send("GET", path);
    const sentBack = await own.send("PUT", path, read);
    const { modifiedAt: _, ...same } = z.looseObject({ modifiedAt: z.int() }).parse(read);
    expect(sentBack.body).toMatchObject(same);
    expect((await own.send("PUT", path, { amount: 7 })).body).toMatchObject({
      amount: 7,
      thresholdRules: [],
      enforceLimit: false,
    });
  });

  test("is removed, again too, and then is 404", async () => {
    await own.send("PUT", path, body);
    expect((await own.send("DELETE", path)).status).toBe(204);
    expect((await own.send("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
  });

  test("of an agent that does not exist is 404", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const sent = method === "PUT" ? { body } : {};
      expect((await own.try(method, "/agents/none/budget", sent)).status, method).toBe(404);
    }
  });

  test("is deleted with its agent", async () => {
    await own.send("POST", "/agents", { id: "b", displayName: "B" });
    await own.send("PUT", "/agents/b/budget", body);
    await own.send("DELETE", "/agents/b");
    expect((await own.try("GET", "/agents/b/budget")).status).toBe(404);
  });

  test.each([
    ["/amount", { amount: 0 }],
    ["/amount", { amount: null }],
    ["/amount", {}],
    ["/thresholdRules/0/percent", { amount: 1, thresholdRules: [{ percent: 0.5 }] }],
    ["/thresholdRules/1/percent", { amount: 1, thresholdRules: [{ percent: 5 }, { percent: 5 }] }],
    ["/enforceLimit", { amount: 1, enforceLimit: 1 }],
  ])("with a wrong %s is refused with its place", async (pointer, wrong) => {
    expect(expectProblem(await own.try("PUT", path, { body: wrong }))).toMatchObject({
      slug: "validation-failed",
      errors: [expect.objectContaining({ pointer })],
    });
  });

  test("an amount that is no finite number is refused", async () => {
    const response = await own.try("PUT", path, { raw: '{"amount": 1e999}' });
    expect(expectProblem(response).slug).toBe("validation-failed");
  });

  test("shows the agent's cost of this month", { tags: "nightly" }, async () => {
    await own.send("POST", "/agents", { id: "c", displayName: "C" });
    await own.send("PUT", "/agents/c/budget", body);
    const startTime = Date.now();
    const ended = {
      id: uuidAt(startTime, crypto.getRandomValues(new Uint8Array(16))),
      agentId: "c",
      agentRevision: 1,
      startTime,
      status: "Succeeded",
      trigger: { type: 0 },
    };
    const usage = {
      providerId: "p",
      modelId: "m",
      tokens: noTokens,
      cost: { ...noCost, totalCost: 30 },
      priced: true,
    };
    await transact(tableOfStack(), [
      countUsage(TenantId.parse(own.tenantId), ended, { models: [usage] }),
    ]);
    expect((await own.send("GET", "/agents/c/budget")).body).toMatchObject({
      currentMonthlyCost: 30,
      usagePercent: 75,
    });
    expect((await own.send("PUT", "/agents/c/budget", { amount: 20 })).body).toMatchObject({
      currentMonthlyCost: 30,
      usagePercent: 150,
    });
  });
});
