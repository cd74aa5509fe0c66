import { beforeEach, describe, expect, test } from "vitest";
import { exact, testExperiments, upper } from "../../../test/harness/experiments.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { tenantOpenKey } from "./keys.ts";

type World = Awaited<ReturnType<typeof testExperiments>>;

let db: TestDatabase;

beforeEach(async () => {
  db = await testDatabase();
});

const setUp = async () => {
  const world = await testExperiments(db, { revisions: [upper] });
  await world.scorer(exact);
  return world;
};
/** Counts experiments as open that were never created. */
const fill = async ({ tenantId }: World, count: number) => {
  const ids = Array.from({ length: count }, (_, at) => `experiment-${at}`);
  await updateItem(db, {
    Key: tenantOpenKey(tenantId),
    UpdateExpression: "ADD experiments :ids",
    ExpressionAttributeValues: { ":ids": new Set(ids) },
  });
};
const countOpen = async ({ tenantId }: World) => {
  const { pk, sk } = tenantOpenKey(tenantId);
  const item = (await db.scan()).find((stored) => stored.pk === pk && stored.sk === sk);
  return item?.experiments instanceof Set ? item.experiments.size : 0;
};
const full = { slug: "conflict", message: expect.stringContaining("100 experiments") };

describe("a tenant's open experiments", () => {
  test("are at most 100, also of requests at the same time, until one ends", {
    tags: "nightly",
  }, async () => {
    const world = await setUp();
    await fill(world, 99);
    const created = await Promise.allSettled([world.create(), world.create(), world.create()]);
    const ids = created.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    expect(ids).toHaveLength(1);
    for (const outcome of created) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(full);
    }
    await expect(world.create()).rejects.toMatchObject(full);
    expect(await countOpen(world)).toBe(100);
    expect(world.queued.experiments).toHaveLength(1);
    await world.drive(ids[0] ?? "");
    expect(await countOpen(world)).toBe(99);
    await world.create();
  });

  test("are no more after the end of a cancelled one, whatever crashes meanwhile", {
    tags: "nightly",
  }, async () => {
    for (let passing = 0; ; passing += 1) {
      const world = await setUp();
      const id = await world.create();
      await world.cancel(id);
      expect(await countOpen(world)).toBe(1);
      db.failNext("TransactWriteItems", passing);
      for (let attempt = 1; attempt < 4; attempt += 1) {
        await world.drive(id, attempt).catch(() => undefined);
      }
      expect(await countOpen(world)).toBe(0);
      if (db.clearFailures()) break;
    }
  });

  test("of another tenant do not count", async () => {
    const [one, other] = [await setUp(), await setUp()];
    await fill(one, 100);
    await other.create();
    await expect(one.create()).rejects.toMatchObject(full);
  });
});

describe("the recovery of experiments", () => {
  test("starts with the oldest of every tenant, so that a tenant with many does not delay others", {
    tags: "nightly",
  }, async () => {
    const many = await setUp();
    for (let count = 0; count < 25; count += 1) await many.create();
    const other = await setUp();
    const id = await other.create();
    for (const { queued, tenant } of [many, other]) {
      queued.experiments?.splice(0);
      tenant.advance(5 * 60_000 + 1);
    }
    db.failNext("BatchGetItem", 1);
    await expect(other.recover()).rejects.toThrow("planned failure");
    const asked = other.queued.experiments ?? [];
    expect(asked).toHaveLength(20);
    expect(asked).toContainEqual({
      type: "run-experiment",
      tenantId: other.tenantId,
      experimentId: id,
    });
    await other.recover();
    expect(asked).toHaveLength(26);
  });
});
