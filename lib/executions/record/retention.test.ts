import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { readTrace } from "../read/read-execution.ts";
import { withoutExpired } from "./execution-record.ts";
import { getExecution, getKeptExecution } from "./store.ts";
import { readEnd } from "./values.ts";

const dayMs = 86_400_000;
const content = {
  parametersMetadata: [{ name: "text", type: "String" }],
  flow: {
    steps: [
      { id: "echo", type: "Transform", value: "{% $substring(input.text, 0, 5) %}" },
      { id: "long", type: "Output", value: "{% input.text %}" },
    ],
    edges: [{ source: "echo", target: "long" }],
  },
};

describe("an execution of a tenant that keeps records for three days and traces for one", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const run = async (text: string) => {
    const world = testExecutions(db);
    const { tenant, clock } = world.tenant.ctx;
    const retention = { executionDays: 3, traceDays: 1, deliveryDays: 1 };
    const times = { createdAt: clock(), modifiedAt: clock() };
    const names = { slug: tenant.id, displayName: "Test" };
    await putNewTenant(db, { ...tenant, ...names, ...times, retention });
    await world.tenant.createAgent("a");
    await world.deploy("a", content);
    const { executionId, startTime } = await world.executeToEnd("a", { input: { text } });
    const read = async () => {
      const place = { agentId: "a", executionId, now: clock() };
      return getKeptExecution(db, world.tenantId, place);
    };
    const readSpans = async () =>
      (
        await readTrace(world.deps, {
          tenantId: world.tenantId,
          agentId: "a",
          executionId,
          now: clock(),
        })
      ).spans;
    const isOwn = ({ sk }: Record<string, unknown>) => String(sk).includes(executionId);
    const items = async () => (await db.scan()).filter(isOwn);
    const toDays = (ttl: unknown) => Math.round((Number(ttl) * 1_000 - startTime) / dayMs);
    return { world, executionId, read, readSpans, items, toDays };
  };

  test.each([
    ["short", "hello"],
    ["long", randomBytes(1_500).toString("base64")],
    ["very long", randomBytes(20_000).toString("base64")],
  ])(
    "with a %s trace shows it for a day, and itself for three",
    { tags: "nightly" },
    async (_, text) => {
      const { world, executionId, read, readSpans } = await run(text);
      world.tenant.advance(dayMs - 60_000);
      expect((await readSpans()).length).toBeGreaterThan(0);
      expect(await world.list("a")).toMatchObject([{ id: executionId, hasTrace: true }]);
      world.tenant.advance(60_000);
      expect(await readSpans()).toEqual([]);
      expect(await world.list("a")).toMatchObject([{ id: executionId, hasTrace: false }]);
      const found = await read();
      expect(found && (await readEnd(world.deps, found))).toMatchObject({ error: null, trace: [] });
      world.tenant.advance(2 * dayMs);
      expect(await read()).toBeUndefined();
      expect(await world.list("a")).toEqual([]);
      await expect(readSpans()).rejects.toMatchObject({ slug: "not-found" });
    },
  );

  test("stores the expiry of the record, its values and its trace", {
    tags: "nightly",
  }, async () => {
    const { items, toDays } = await run(randomBytes(1_500).toString("base64"));
    const days = (await items()).map(({ sk, ttl }) => [String(sk).split("#")[2], toDays(ttl)]);
    expect(days.toSorted()).toEqual([
      [undefined, 3],
      ["END", 4],
      ["INPUT", 4],
      ["TRACE", 2],
    ]);
  });

  test("has no expiry while it runs, and its usage has none at all", {
    tags: "nightly",
  }, async () => {
    const { world } = await run("hello");
    await world.execute("a", { input: { text: "later" } }, 0);
    const [open] = await world.open();
    expect(open).not.toHaveProperty("ttl");
    const counted = (await db.scan()).filter(
      ({ pk, sk }) => `${pk}${sk}`.includes(world.tenantId) && `${pk}${sk}`.includes("USAGE"),
    );
    for (const item of counted) expect(item).not.toHaveProperty("ttl");
    expect((await world.counted("a")).executions).toBe(1);
  });

  test("shows its values without a trace that the table has deleted", {
    tags: "nightly",
  }, async () => {
    const { world, executionId, items } = await run(randomBytes(1_500).toString("base64"));
    world.tenant.advance(dayMs);
    const trace = (await items()).find(({ sk }) => String(sk).includes("TRACE"));
    await deleteTogether(db, [{ pk: String(trace?.pk), sk: String(trace?.sk) }]);
    const found = withoutExpired(
      await getExecution(db, world.tenantId, "a", executionId),
      world.tenant.ctx.clock(),
    );
    expect(found && (await readEnd(world.deps, found))).toMatchObject({ trace: [] });
  });
});
