import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { RevisionAsset } from "./schemas.ts";
import { listAssets } from "./store.ts";
import { upsertAssets } from "./upsert-assets.ts";

const link = "https://example.com/a";
const asset = (id: string, displayName: string | null = null) =>
  RevisionAsset.parse({ id, displayName, link });
const many = (count: number, displayName?: string) =>
  Array.from({ length: count }, (_, at) => asset(String(at).padStart(3, "0"), displayName));
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("the assets of a tenant", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    db.clearFailures();
    tenant = testTenant(db);
    await tenant.createAgent("hello");
    await tenant.createAgent("other");
    db.calls.length = 0;
  });

  const create = (assets: readonly RevisionAsset[], agentId = "hello", others = {}) =>
    createRevision(tenant.deps, {
      ctx: tenant.ctx,
      agentId,
      content: RevisionContent.parse({ assets, ...others }),
    });
  const list = (size = 200, skip = 0) => listAssets(db, tenant.ctx.tenant.id, { size, skip });
  const listed = async () => (await list()).items;
  const readAgent = async (agentId = "hello") => {
    const agent = await getAgent(db, tenant.ctx.tenant.id, agentId);
    if (!agent) throw new Error("the agent is gone");
    return agent;
  };
  const remove = (agentId = "hello") =>
    deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId });
  const purge = (agentId = "hello", until = Number.MAX_SAFE_INTEGER) =>
    purgeDeleted(
      { type: "purge-agent", tenantId: tenant.ctx.tenant.id, agentId },
      { ...tenant.deps, clock: tenant.ctx.clock, until },
    );

  test("are listed by id, as in the revision that named them last", async () => {
    const first = tenant.ctx.clock();
    const whole = { contentType: "text/html", assetType: 2, vectorized: true };
    await create([asset("b", "B"), { ...asset("a", "A"), ...whole }]);
    tenant.advance(1_000);
    await create([asset("b", "B2")]);
    await create([asset("c")], "other");
    const times = { createdAt: first, modifiedAt: first, changedAt: null };
    const later = first + 1_000;
    expect(await listed()).toMatchObject([
      {
        ...asset("a", "A"),
        ...whole,
        vectorized: false,
        agentId: "hello",
        agentRevision: 1,
        ...times,
      },
      {
        ...asset("b", "B2"),
        agentId: "hello",
        agentRevision: 2,
        createdAt: first,
        modifiedAt: later,
        changedAt: null,
      },
      {
        ...asset("c"),
        agentId: "other",
        agentRevision: 1,
        ...times,
        createdAt: later,
        modifiedAt: later,
      },
    ]);
  });

  test("are not visible to another tenant", async () => {
    await create([asset("a")]);
    const theirs = testTenant(db);
    const page = await listAssets(db, theirs.ctx.tenant.id, { size: 50, skip: 0 });
    expect(page).toEqual({ items: [], nextPageToken: null });
  });

  test("are listed once, in order, for any ids of up to 1,024 bytes and any page size", {
    tags: "nightly",
  }, async () => {
    const text = fc.string({ minLength: 1, maxLength: 40, unit: "binary" });
    const ids = new Set(fc.sample(text, { numRuns: 90, seed: 7 }));
    for (const end of ["a", "b", "é", "#"]) {
      ids.add("x".repeat(1_024 - Buffer.byteLength(end)) + end);
    }
    const sent = [...ids].filter((id) => id.isWellFormed());
    await create(sent.map((id) => asset(id)));
    const sorted = sent.toSorted(byBytes);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 9, max: 200 }), async (size) => {
        const seen: string[] = [];
        for (let skip = 0; ; ) {
          const { items, nextPageToken } = await list(size, skip);
          seen.push(...items.map(({ id }) => id));
          if (nextPageToken === null) break;
          skip = Number(nextPageToken);
        }
        expect(seen).toEqual(sorted);
      }),
      { numRuns: propertyRuns(6, 2) },
    );
  });

  test("are read a page at a time: one call for the first, one more of keys for a skip", {
    tags: "nightly",
  }, async () => {
    await create(many(120));
    db.calls.length = 0;
    expect((await list(10)).items).toHaveLength(10);
    expect(db.calls).toEqual(["Query"]);
    expect((await list(10, 100)).items[0]?.id).toBe("100");
    expect(db.calls).toEqual(["Query", "Query", "Query"]);
  });

  test("of maximum size fit in one response, 200 per page", { tags: "nightly" }, async () => {
    const rest = Buffer.byteLength(JSON.stringify({ ...asset("000"), displayName: "" }));
    const displayName = '"'.repeat(Math.floor((8_192 - rest) / 2));
    const size = 50;
    for (let start = 0; start < 200; start += size) {
      await create(
        many(200)
          .slice(start, start + size)
          .map((asset) => ({ ...asset, displayName })),
      );
    }
    const page = await list();
    expect(page.items).toHaveLength(200);
    expect(responseBytes(page)).toBeLessThan(maxResponseBytes);
  });

  test("that are too large are refused with their pointers, and the revision is not stored", async () => {
    const wrong = [
      asset("é".repeat(512)),
      asset(`${"é".repeat(512)}x`),
      asset("a", "x".repeat(9_000)),
    ];
    await expect(create(wrong)).rejects.toMatchObject({
      members: {
        errors: [
          expect.objectContaining({ pointer: "/assets/1/id" }),
          expect.objectContaining({ pointer: "/assets/2" }),
        ],
      },
    });
    expect(await listed()).toEqual([]);
  });

  test("of a revision that is refused for its secrets are not listed", async () => {
    const token = { name: "token", type: "String", secret: true, defaultValue: "********" };
    await expect(
      create([asset("a")], "hello", { parametersMetadata: [token] }),
    ).rejects.toMatchObject({ slug: "validation-failed" });
    expect(await listed()).toEqual([]);
  });

  test("that a revision names twice are listed as the last one", async () => {
    await create([asset("a", "one"), asset("b"), asset("a", "two")]);
    expect((await listed()).map(({ id, displayName }) => [id, displayName])).toEqual([
      ["a", "two"],
      ["b", null],
    ]);
  });

  test("cost no call for a revision without any, and five transactions for 200", {
    tags: "nightly",
  }, async () => {
    await create([]);
    expect(db.calls).toEqual(["GetItem", "TransactWriteItems"]);
    db.calls.length = 0;
    await create(many(200));
    const transactions = Array(6).fill("TransactWriteItems");
    const reads = Array(2).fill("BatchGetItem");
    expect(db.calls).toEqual([...reads, "GetItem", ...transactions]);
    expect(await listed()).toHaveLength(200);
  });

  describe("the assets of concurrent revisions", () => {
    test("are as in the agent's highest revision", { tags: "nightly" }, async () => {
      const created = await Promise.all(
        Array.from({ length: 6 }, (_, at) => create(many(60, `by ${at}`))),
      );
      const last = created.find(({ agentRevision }) => agentRevision === 6);
      const items = await listed();
      expect(items).toHaveLength(60);
      for (const { agentRevision, displayName } of items) {
        expect({ agentRevision, displayName }).toEqual({
          agentRevision: 6,
          displayName: last?.assets[0]?.displayName,
        });
      }
    });

    test("are as in the later of two agents' revisions; assets of only the earlier are listed, too", async () => {
      const agent = await readAgent();
      const createdAt = tenant.ctx.clock();
      tenant.advance(1);
      await create([asset("a", "later"), asset("c", "later")], "other");
      const assets = [asset("a", "earlier"), asset("b", "earlier"), asset("c", "earlier")];
      const earlier = { agentRevision: 1, createdAt, assets };
      expect(await upsertAssets(db, tenant.ctx.tenant.id, agent, earlier)).toBe("written");
      expect((await listed()).map(({ id, displayName }) => [id, displayName])).toEqual([
        ["a", "later"],
        ["b", "earlier"],
        ["c", "later"],
      ]);
    });

    test("are not written for a revision number that is taken, nor for a deleted agent", async () => {
      const before = await readAgent();
      const stale = {
        agentRevision: 1,
        createdAt: tenant.ctx.clock(),
        assets: [asset("a", "stale")],
      };
      await create([asset("a", "first")]);
      expect(await upsertAssets(db, tenant.ctx.tenant.id, before, stale)).toBe("changed");
      expect((await listed())[0]?.displayName).toBe("first");
      const after = await readAgent();
      await remove();
      await purge();
      expect(await upsertAssets(db, tenant.ctx.tenant.id, after, stale)).toBe("changed");
      expect(await listed()).toEqual([]);
    });

    test("leave none behind when their agent is deleted concurrently", {
      tags: "nightly",
    }, async () => {
      for (let round = 0; round < 8; round += 1) {
        const agentId = `agent-${round}`;
        await tenant.createAgent(agentId);
        const [, removed] = await Promise.allSettled([
          create(many(110), agentId),
          remove(agentId).then(() => purge(agentId)),
        ]);
        expect(removed.status).toBe("fulfilled");
        expect(await listed()).toEqual([]);
      }
    });
  });

  test("of an interrupted revision are listed, and corrected when it is repeated", async () => {
    db.failNext("TransactWriteItems", 1);
    await expect(create([asset("a", "cut")])).rejects.toThrow("planned failure");
    expect((await readAgent()).latestRevision).toBeNull();
    expect(await listed()).toMatchObject([{ displayName: "cut", agentRevision: 1 }]);
    tenant.advance(5);
    await create([asset("a", "whole")]);
    expect(await listed()).toMatchObject([{ displayName: "whole", agentRevision: 1 }]);
  });

  describe("the assets of a deleted agent", () => {
    test("are deleted, except those that another agent named since", {
      tags: "nightly",
    }, async () => {
      await create([...many(130), asset("shared"), asset("taken-over")]);
      await create([asset("shared"), asset("own")], "other");
      await create([asset("taken-over")], "other");
      await create([asset("taken-over")]);
      await remove();
      await purge();
      expect((await listed()).map(({ id }) => id)).toEqual(["own", "shared"]);
      await remove("other");
      await purge("other");
      const left = (await db.scan()).filter(({ pk }) => String(pk).includes(tenant.ctx.tenant.id));
      expect(left).toEqual([]);
    });

    test("are deleted eventually, whichever call the purge crashes at, and when it runs out of time", {
      tags: "nightly",
    }, async () => {
      await create(many(150));
      await remove();
      await purge("hello", 0);
      const { length } = await listed();
      expect(length).toBeGreaterThan(0);
      expect(length).toBeLessThan(150);
      for (const [command, passing] of [
        ["DeleteItem", 3],
        ["BatchWriteItem", 0],
      ] as const) {
        db.failNext(command, passing);
        await expect(purge()).rejects.toThrow("planned failure");
      }
      await purge();
      expect(await listed()).toEqual([]);
    });

    test("can be named again by an agent with the same id, with a new createdAt", async () => {
      await create([asset("a")]);
      await create([asset("a")]);
      await remove();
      await purge();
      tenant.advance(10);
      await tenant.createAgent("hello");
      await create([asset("a")]);
      const now = tenant.ctx.clock();
      expect(await listed()).toMatchObject([{ agentRevision: 1, createdAt: now, modifiedAt: now }]);
    });
  });
});
