import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { putSteps } from "../../executions/checkpoints/checkpoint-store.ts";
import { createExecutions } from "../../executions/start/create-executions.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { RevisionContent } from "../revision/content.ts";
import { createRevision } from "../revision/create-revision.ts";
import { deleteAgent } from "./delete-agent.ts";
import { getAgent, listAgents } from "./store.ts";

describe("deleting an agent", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await tenant.createAgent("hello");
  });

  const tenantId = () => tenant.ctx.tenant.id;
  const itemsOfTenant = async () =>
    (await db.scan()).filter((item) => String(item.pk).includes(tenantId()));
  const remove = () => deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
  const purge = (until = Number.MAX_SAFE_INTEGER) =>
    purgeDeleted(
      { type: "purge-agent", tenantId: tenantId(), agentId: "hello" },
      { ...tenant.deps, clock: tenant.ctx.clock, until },
    );
  const execute = async (input: Record<string, unknown> = {}) => {
    const deps = { ...tenant.deps, runtime: tenant.ctx, loadRevision: async () => undefined };
    await createExecutions(deps, [
      {
        tenantId: tenantId(),
        id: newUuid(tenant.ctx),
        agentId: "hello",
        agentRevision: 1,
        parametersMetadata: [],
        trigger: { type: 0, id: "admin", provider: null },
        input,
        metadata: {},
        isSample: false,
        runner: { type: "worker" },
      },
    ]);
  };

  test("hides it immediately and queues the purge of its items", async () => {
    await remove();
    expect(await getAgent(db, tenantId(), "hello")).toBeUndefined();
    expect((await listAgents(db, tenantId(), { size: 50, skip: 0 })).items).toEqual([]);
    expect(tenant.sent).toEqual([{ type: "purge-agent", tenantId: tenantId(), agentId: "hello" }]);
  });

  test("returns 404 the second time, and queues the purge again in case the first message was lost", async () => {
    await remove();
    await expect(remove()).rejects.toMatchObject({ slug: "not-found" });
    expect(tenant.sent).toHaveLength(2);
  });

  test("makes its id available only when all of its items are deleted", async () => {
    await createRevision(tenant.deps, {
      ctx: tenant.ctx,
      agentId: "hello",
      content: RevisionContent.parse({}),
    });
    for (let run = 0; run < 5; run += 1) await execute();
    await execute({ large: randomBytes(500_000).toString("base64") });
    expect(tenant.deps.objects.all.size).toBe(1);
    // The function crashed before it wrote the record.
    const [key = ""] = tenant.deps.objects.all.keys();
    const neverWritten = key.replace(/[^/]+(?=\/[^/]+$)/, newUuid(tenant.ctx));
    await tenant.deps.objects.put(neverWritten, new Uint8Array());
    const executionId = /([^/]+)\/[^/]+$/.exec(key)?.[1] ?? "";
    const result = randomBytes(20_000).toString("base64");
    const outcomes = [{ stepId: "a", status: "Succeeded", result, spans: [] } as never];
    const steps = { name: "a", outcomes };
    const execution = { tenantId: tenant.ctx.tenant.id, agentId: "hello", executionId };
    await putSteps({ db, objects: tenant.deps.objects }, execution, steps, Date.now());
    expect(tenant.deps.objects.all.size).toBe(3);
    await remove();
    await expect(tenant.createAgent("hello")).rejects.toMatchObject({
      slug: "conflict",
      message: expect.stringContaining("being removed"),
    });
    await purge();
    expect(await itemsOfTenant()).toEqual([]);
    expect(tenant.deps.objects.all.size).toBe(0);
    expect(await tenant.createAgent("hello")).toMatchObject({ latestRevision: null });
  });

  test("a repeated purge, or one of an existing agent, changes nothing", {
    tags: "nightly",
  }, async () => {
    await execute();
    const before = await itemsOfTenant();
    await purge();
    expect(await itemsOfTenant()).toEqual(before);
    await remove();
    await purge();
    await purge();
    expect(await itemsOfTenant()).toEqual([]);
  });

  test("a purge that runs out of time queues its continuation, which completes it", {
    tags: "nightly",
  }, async () => {
    for (let run = 0; run < 120; run += 1) await execute();
    await remove();
    tenant.sent.length = 0;
    await purge(0);
    expect(tenant.sent).toHaveLength(1);
    expect((await itemsOfTenant()).length).toBeGreaterThan(0);
    await purge();
    expect(await itemsOfTenant()).toEqual([]);
  });

  test("a purge that fails at any write is completed by the next one", {
    tags: "nightly",
  }, async () => {
    // Its input is in an item of its own.
    await execute({ text: randomBytes(2_000).toString("base64") });
    await remove();
    for (const passing of [0, 1]) {
      db.failNext("BatchWriteItem", passing);
      await expect(purge()).rejects.toThrow("planned failure");
    }
    db.failNext("DeleteItem");
    await expect(purge()).rejects.toThrow("planned failure");
    await purge();
    expect(await itemsOfTenant()).toEqual([]);
  });
});
