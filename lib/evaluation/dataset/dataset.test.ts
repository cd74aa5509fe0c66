import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { withCompanions } from "../../platform/db/companion-writes.ts";
import { Problem } from "../../platform/http/problems.ts";
import { addExamples } from "./add-examples.ts";
import { claimWrite, publishWrite } from "./claim-store.ts";
import { createDataset } from "./create-dataset.ts";
import { pinVersion } from "./dataset-item.ts";
import { deleteDataset } from "./delete-dataset.ts";
import { deleteExample } from "./delete-example.ts";
import { getExample } from "./get-example.ts";
import { countExamples, listExamples, readExample, readExamples } from "./read-examples.ts";
import type { SentExample } from "./schemas.ts";
import { getDataset } from "./store.ts";
import { updateDataset } from "./update-dataset.ts";

const datasetId = "support";

describe("the examples of a dataset", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    db.clearFailures();
    tenant = testTenant(db);
    await create();
  });

  const create = (inputSchema: Record<string, unknown> | null = null) =>
    createDataset(tenant.deps, {
      ctx: tenant.ctx,
      body: { id: datasetId, displayName: "Support", inputSchema },
    });
  const add = (items: readonly SentExample[], once?: { token: string; earlier: string[] }) =>
    addExamples(tenant.deps, { ctx: { ...tenant.ctx, once }, datasetId, items });
  const remove = (exampleId: string) =>
    deleteExample(tenant.deps, { ctx: tenant.ctx, datasetId, exampleId });
  const dataset = async () => {
    const found = await getDataset(db, tenant.ctx.tenant.id, datasetId);
    if (!found) throw new Error("the dataset is gone");
    return found;
  };
  const pin = async (version?: number) => {
    const pinned = pinVersion(await dataset(), version);
    if (!pinned) throw new Error(`there is no version ${version}`);
    return pinned;
  };
  const page = async (size: number, skip: number, version?: number, split?: string) =>
    listExamples(tenant.deps, {
      tenantId: tenant.ctx.tenant.id,
      pinned: await pin(version),
      split,
      page: { size, skip },
    });
  const all = async (version?: number, split?: string) =>
    (await page(200, 0, version, split)).items;
  const catchSlug = async (made: Promise<unknown>): Promise<string> => {
    try {
      await made;
    } catch (error) {
      if (error instanceof Problem) return error.slug;
      return "crash";
    }
    return "done";
  };

  const given = (id: string, value: number, split: string | null = null) => ({
    id,
    input: { value },
    expected: value,
    metadata: null,
    split,
  });

  test("are read as of a version", async () => {
    await add([given("a", 1), given("b", 1)]);
    await add([given("a", 2)]);
    await remove("b");
    const get = (exampleId: string, version?: number, of = datasetId) =>
      getExample(tenant.deps, {
        tenantId: tenant.ctx.tenant.id,
        datasetId: of,
        exampleId,
        version,
      });
    expect(await get("a")).toEqual(given("a", 2));
    expect(await get("a", 1)).toEqual(given("a", 1));
    expect(await get("b", 2)).toEqual(given("b", 1));
    const missing = [get("b"), get("a", 0), get("a", 9), get("a", 1, "other")];
    expect(await Promise.all(missing.map(catchSlug))).toEqual(missing.map(() => "not-found"));
  });

  test("of every version stay as they were, whatever is added, replaced, removed or crashes later", {
    tags: "nightly",
  }, async () => {
    const id = fc.constantFrom("a", "b", "a-1", "a.b", "A", "c");
    const step = fc.oneof(
      fc.record({
        kind: fc.constantFrom("add", "crash", "release"),
        items: fc.uniqueArray(fc.tuple(id, fc.nat(2), fc.constantFrom(null, "train", "test")), {
          minLength: 1,
          maxLength: 4,
          selector: ([first]) => first,
        }),
      }),
      fc.record({ kind: fc.constant("remove"), id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        tenant = testTenant(db);
        await create();
        let now = new Map<string, ReturnType<typeof given>>();
        const versions = [{ version: 0, examples: now }];
        for (const step of steps) {
          const next = new Map(now);
          if ("id" in step) {
            const isThere = next.delete(step.id);
            expect(await catchSlug(remove(step.id))).toBe(isThere ? "done" : "not-found");
          } else {
            const items = step.items.map(([name, value, split]) => given(name, value, split));
            // Writes the rows, and fails to publish them; a crash does not release its claim either.
            if (step.kind !== "add") db.failNext("UpdateItem", 1);
            if (step.kind === "crash") db.failNext("UpdateItem");
            const isMade = (await catchSlug(add(items))) === "done";
            db.clearFailures();
            if (step.kind !== "add") tenant.advance(60_000);
            if (isMade) for (const item of items) next.set(item.id, item);
          }
          now = next;
          const { version, exampleCount } = await dataset();
          expect(exampleCount).toBe(now.size);
          const last = versions.at(-1);
          if (last?.version !== version) versions.push({ version, examples: now });
        }
        for (const { version, examples } of versions) {
          const expected = [...examples.values()].sort((one, other) =>
            one.id < other.id ? -1 : 1,
          );
          expect(await all(version)).toEqual(expected);
          const test = expected.filter(({ split }) => split === "test");
          expect(await all(version, "test")).toEqual(test);
          const pinned = await pin(version);
          const tenantId = tenant.ctx.tenant.id;
          expect(await countExamples(db, tenantId, pinned, "test")).toBe(test.length);
          const read = [];
          for (let after: string | null = null; ; ) {
            const some = await readExamples(tenant.deps, {
              tenantId,
              pinned,
              reading: { after, limit: 2 },
            });
            read.push(...some.items);
            after = some.after;
            if (after === null) break;
          }
          expect(read).toEqual(expected);
          for (const name of ["a", "a-1"]) {
            expect(await readExample(tenant.deps, { tenantId, pinned, exampleId: name })).toEqual(
              examples.get(name),
            );
          }
        }
      }),
      { numRuns: propertyRuns(50, 8) },
    );
  });

  test("are listed in the order in which they were added, page by page, by keys where they are skipped", {
    tags: "nightly",
  }, async () => {
    const values = Array.from({ length: 60 }, (_, at) => at);
    await add(values.slice(0, 30).map((value) => ({ input: { value }, split: "train" })));
    tenant.advance(1);
    const { version, ids } = await add(values.slice(30).map((value) => ({ input: { value } })));
    await remove(ids[0] ?? "");
    const seen: unknown[] = [];
    for (let skip = 0; ; ) {
      const { items, nextPageToken } = await page(7, skip, version);
      seen.push(...items.map(({ input }) => input));
      if (nextPageToken === null) break;
      skip = Number(nextPageToken);
    }
    expect(seen).toEqual(values.map((value) => ({ value })));
    expect((await dataset()).exampleCount).toBe(59);
    expect((await page(7, 28, version, "train")).items).toHaveLength(2);
    expect(await page(7, 60, version)).toEqual({ items: [], nextPageToken: null });
  });

  test("that are sent again as they are make no new version", async () => {
    const first = await add([given("a", 1), given("b", 2)]);
    expect(await add([given("b", 2), given("a", 1)])).toEqual({ ...first, ids: ["b", "a"] });
    expect(await add([given("b", 3)])).toEqual({ version: 2, exampleCount: 2, ids: ["b"] });
  });

  test("leave an audit record when they change, and none when nothing changes", async () => {
    await add([given("a", 1)]);
    const companions: string[] = [];
    const recording = withCompanions(db, (writes) => {
      companions.push(...writes.flatMap(({ Update }) => Update?.UpdateExpression ?? []));
      return [];
    });
    const input = { ctx: tenant.ctx, datasetId };
    const deps = { ...tenant.deps, db: recording };
    await addExamples(deps, { ...input, items: [given("a", 1)] });
    await expect(deleteExample(deps, { ...input, exampleId: "b" })).rejects.toMatchObject({
      slug: "not-found",
    });
    expect(companions).toEqual([]);
    await deleteExample(deps, { ...input, exampleId: "a" });
    expect(companions).toEqual([expect.stringContaining("#version = :version")]);
  });

  test("are added once by a request that is repeated after a crash", async () => {
    const [token, later] = ["0193f0a0-7c4b-7000-8000-000000000001", "0193f0a0-7c4b-7000-8000-2"];
    const items = [{ input: 1 }, { input: 2 }];
    const first = await add(items, { token, earlier: [] });
    expect(await add(items, { token: later, earlier: [token] })).toEqual(first);
  });

  test("of a large size are in the bucket, and go with the dataset", {
    tags: "nightly",
  }, async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => (at * 7_919) % 999_983).join(" ");
    await add([{ id: "large", input: { text } }]);
    expect(tenant.deps.objects.all.size).toBe(1);
    expect(await all()).toMatchObject([{ id: "large", input: { text } }]);
    const { contentId } = await dataset();
    await deleteDataset(tenant.deps, { tenantId: tenant.ctx.tenant.id, datasetId });
    const message = {
      type: "purge-dataset",
      tenantId: tenant.ctx.tenant.id,
      datasetId,
      contentId,
    } as const;
    expect(tenant.sent).toEqual([message]);
    await create();
    await add([given("new", 1)]);
    const deps = { ...tenant.deps, clock: tenant.ctx.clock, until: Number.MAX_SAFE_INTEGER };
    await purge(message, deps);
    expect(tenant.deps.objects.all.size).toBe(0);
    const left = (await db.scan()).map(({ pk }) => String(pk));
    expect(left.filter((pk) => pk.includes(contentId))).toEqual([]);
    expect(left.filter((pk) => pk.includes("DATASETS#DELETED"))).toEqual([]);
    expect(await all()).toEqual([given("new", 1)]);
  });

  test("of a dataset that is deleted while they are written are purged when that has ended", async () => {
    db.failNext("UpdateItem", 1);
    db.failNext("UpdateItem");
    expect(await catchSlug(add([given("a", 1)]))).toBe("crash");
    const { contentId } = await dataset();
    await deleteDataset(tenant.deps, { tenantId: tenant.ctx.tenant.id, datasetId });
    const message = {
      type: "purge-dataset",
      tenantId: tenant.ctx.tenant.id,
      datasetId,
      contentId,
    } as const;
    const deps = { ...tenant.deps, clock: tenant.ctx.clock, until: Number.MAX_SAFE_INTEGER };
    await purge(message, deps);
    expect(tenant.sent).toEqual([message, message]);
    tenant.advance(60_000);
    await purge(message, deps);
    expect(tenant.sent).toHaveLength(2);
    await purge(message, deps);
  });

  test("are changed by one request at a time: concurrent writers make separate versions", {
    tags: "nightly",
  }, async () => {
    const outcomes = await Promise.all(["a", "b", "c"].map((name, at) => add([given(name, at)])));
    expect(outcomes.map(({ version }) => version).sort()).toEqual([1, 2, 3]);
    expect((await all()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("are locked during a change: a concurrent one gets 409 with Retry-After after a while", {
    tags: "nightly",
  }, async () => {
    db.failNext("UpdateItem", 1);
    db.failNext("UpdateItem");
    await catchSlug(add([given("a", 1)]));
    await expect(add([given("b", 1)])).rejects.toMatchObject({
      slug: "conflict",
      headers: { "Retry-After": "1" },
    });
    expect(await all()).toEqual([]);
  });

  test("are not published by a writer that another one took over from", async () => {
    const tenantId = tenant.ctx.tenant.id;
    const claim = () =>
      claimWrite(db, tenantId, datasetId, { id: "late", now: tenant.ctx.clock() });
    const late = await claim();
    expect(await claim()).toBe("changed");
    tenant.advance(60_000);
    expect(await add([given("a", 1)])).toMatchObject({ version: 2 });
    if (!late || late === "changed") throw new Error("there is no claim");
    const published = { exampleCount: 9, now: tenant.ctx.clock() };
    expect(await publishWrite(db, tenantId, late, published)).toBeUndefined();
    expect(await dataset()).toMatchObject({ version: 2, exampleCount: 1 });
    expect(pinVersion(await dataset(), 1)).toBeUndefined();
  });

  test("with a duplicate id, or an input that the schema refuses, are refused with pointers", async () => {
    const inputSchema = { type: "object", properties: { value: { type: "integer" } } };
    const input = { datasetId, body: { inputSchema } };
    await updateDataset(tenant.deps, { ctx: tenant.ctx, ...input });
    await expect(
      add([given("a", 1), { input: { value: "x" } }, { input: [] }]),
    ).rejects.toMatchObject({
      members: {
        errors: [
          expect.objectContaining({ pointer: "/items/1/input/value" }),
          expect.objectContaining({ pointer: "/items/2/input" }),
        ],
      },
    });
    await expect(add([given("a", 1), given("a", 2)])).rejects.toMatchObject({
      members: { errors: [expect.objectContaining({ pointer: "/items/1/id" })] },
    });
    const wrong = { datasetId, body: { inputSchema: { type: "text" } } };
    expect(await catchSlug(updateDataset(tenant.deps, { ctx: tenant.ctx, ...wrong }))).toBe(
      "validation-failed",
    );
    expect((await dataset()).version).toBe(0);
  });

  test("may have a schema with any numbers and levels of JSON", { tags: "nightly" }, async () => {
    let inputSchema: Record<string, unknown> = { maximum: 1e300, multipleOf: 1e-200 };
    for (let level = 0; level < 20; level += 1) inputSchema = { properties: { a: inputSchema } };
    const input = { datasetId, body: { inputSchema } };
    await updateDataset(tenant.deps, { ctx: tenant.ctx, ...input });
    expect(await dataset()).toMatchObject({ inputSchema });
    const created = { id: "created", displayName: "D", inputSchema };
    await createDataset(tenant.deps, { ctx: tenant.ctx, body: created });
    expect(await getDataset(db, tenant.ctx.tenant.id, "created")).toMatchObject({ inputSchema });
    expect(await add([given("a", 1)])).toMatchObject({ version: 1 });
  });
});
