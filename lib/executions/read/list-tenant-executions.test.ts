import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { packJson } from "../../../test/harness/pack-json.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { createAgent } from "../../agents/agent/create-agent.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { insertTogether } from "../../platform/db/insert-together.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { executionKey, recordsIndexPartition } from "../record/keys.ts";
import type { ExecutionSelection } from "./list-executions.ts";
import { listTenantExecutions } from "./list-tenant-executions.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

type World = ReturnType<typeof testExecutions>;
const echo = {
  parametersMetadata: [{ name: "text", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.text %}" }], edges: [] },
};

const addAgents = async ({ tenant }: World, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await createAgent(tenant.deps, { ctx: tenant.ctx, body: { id, displayName: id } });
  }
};

/** Builds the record of an ended execution as its start and its end write it. */
const record = ({ tenantId }: World, agentId: string, time: number, more: object = {}) => {
  const executionId = uuidAt(time, randomBytes(10));
  const item = {
    ...executionKey({ tenantId, agentId, executionId }),
    [tableAttributes.recordsIndexPartitionKey]: recordsIndexPartition({ tenantId, executionId }),
    agentRevision: 1,
    status: "Succeeded",
    trigger: { type: 0, id: "somebody" },
    input: packJson({}),
    ...more,
  };
  return { id: executionId, agentId, time, item };
};

const newestFirst = <Made extends { id: string }>(records: readonly Made[]): Made[] =>
  records.toSorted((one, other) => (one.id < other.id ? 1 : -1));

const page = (
  { tenantId, tenant }: World,
  {
    size = 200,
    skip = 0,
    ...selection
  }: ExecutionSelection & { size?: number; skip?: number } = {},
) => {
  const selected = { ...selection, now: tenant.ctx.clock() };
  return listTenantExecutions(db, tenantId, selected, { size, skip });
};

const listIds = async (world: World): Promise<string[]> =>
  (await page(world)).items.map(({ id }) => id);

test("walking from token to token meets every record once, newest first, over agents with many records in the same millisecond", {
  tags: "nightly",
}, async () => {
  const world = testExecutions(db);
  const agentIds = ["a", "b", "c", "d", "e"];
  await addAgents(world, agentIds);
  const start = world.tenant.ctx.clock();
  const made = Array.from({ length: 240 }, (_, at) =>
    record(world, agentIds[at % 5] ?? "a", start + Math.floor(at / 80)),
  );
  await insertTogether(
    db,
    made.map(({ item }) => item),
  );
  const all = newestFirst(made);
  const time = fc.option(fc.integer({ min: start - 1, max: start + 3 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 200 }),
      fc.option(fc.constantFrom(...agentIds), { nil: undefined }),
      time,
      time,
      async (size, wanted, one, other) => {
        const [from, to] = (one ?? 0) > (other ?? start + 9) ? [other, one] : [one, other];
        const selection = {
          from,
          to,
          ...(wanted !== undefined && {
            matches: ({ agentId }: { agentId: string }) => agentId === wanted,
          }),
        };
        const seen: string[] = [];
        for (let skip: number | null = 0; skip !== null; ) {
          const { items, nextPageToken }: Awaited<ReturnType<typeof page>> = await page(world, {
            ...selection,
            size,
            skip,
          });
          expect(items.length).toBeLessThanOrEqual(size);
          seen.push(...items.map(({ id }) => id));
          skip = nextPageToken === null ? null : Number(nextPageToken);
        }
        const expected = all.filter(
          ({ agentId, time: at }) =>
            (wanted === undefined || agentId === wanted) && at >= (from ?? at) && at <= (to ?? at),
        );
        expect(seen).toEqual(expected.map(({ id }) => id));
      },
    ),
    { numRuns: 20 },
  );
  const skip = 150;
  const behind = await page(world, { size: 7, skip });
  expect(behind.items.map(({ id }) => id)).toEqual(all.slice(skip, skip + 7).map(({ id }) => id));
  expect(await page(world, { skip: 240 })).toEqual({ items: [], nextPageToken: null });
});

test("a page of 50 takes 8 queries and one read, and a filtered page looks at 1,000 records at most", {
  tags: "nightly",
}, async () => {
  const world = testExecutions(db);
  await addAgents(world, ["busy", "rare"]);
  const start = world.tenant.ctx.clock();
  const made = Array.from({ length: 1_100 }, (_, at) =>
    record(world, at === 0 ? "rare" : "busy", start + at),
  );
  await insertTogether(
    db,
    made.map(({ item }) => item),
  );
  db.calls.length = 0;
  expect((await page(world, { size: 50 })).nextPageToken).toBe("50");
  expect(db.calls.toSorted()).toEqual(["BatchGetItem", ...Array<string>(8).fill("Query")]);
  const matches = ({ agentId }: { agentId: string }) => agentId === "rare";
  db.calls.length = 0;
  expect(await page(world, { size: 50, matches })).toEqual({ items: [], nextPageToken: "1000" });
  expect(db.calls.filter((name) => name === "BatchGetItem").length).toBeLessThanOrEqual(11);
  expect(await page(world, { size: 50, skip: 1_000, matches })).toMatchObject({
    items: [{ agentId: "rare" }],
    nextPageToken: null,
  });
});

test("executions are listed from their start to their end, also those that start concurrently, apart from other tenants'", async () => {
  const [world, other] = [testExecutions(db), testExecutions(db)];
  for (const { deploy } of [world, other]) await deploy("a", echo);
  await world.deploy("b", echo);
  expect(await listIds(world)).toEqual([]);
  const queued = await world.accept("a");
  const ended = await Promise.all(
    ["a", "b", "a"].map(async (agentId) => (await world.execute(agentId, {})).execution),
  );
  const theirs = (await other.execute("a", {})).execution.executionId;
  const own = [queued, ...ended].map(({ executionId }) => executionId);
  const listed = await page(world);
  expect(listed.items.map(({ id }) => id)).toEqual(own.toSorted().toReversed());
  expect(listed.items.find(({ id }) => id === queued.executionId)?.status).toBe("Queued");
  expect(await listIds(other)).toEqual([theirs]);
  await world.work();
  expect((await page(world)).items.map(({ status }) => status)).toEqual(own.map(() => "Succeeded"));
});

test("records that expired, and those of an agent that was deleted or created again, are left out", {
  tags: "nightly",
}, async () => {
  const world = testExecutions(db);
  await addAgents(world, ["kept", "gone"]);
  const start = world.tenant.ctx.clock();
  const kept = record(world, "kept", start);
  const left = [
    record(world, "kept", start + 1, { ttl: Math.floor(start / 1_000) - 1 }),
    record(world, "kept", start + 2, { agentCreatedAt: 1 }),
    record(world, "gone", start + 3),
    record(world, "unknown", start + 4),
  ];
  await insertTogether(
    db,
    [kept, ...left].map(({ item }) => item),
  );
  const { deps, ctx, sent } = world.tenant;
  expect(await listIds(world)).toHaveLength(2);
  await deleteAgent(deps, { tenantId: world.tenantId, agentId: "gone" });
  expect(await listIds(world)).toEqual([kept.id]);
  expect(await page(world, { size: 2 })).toEqual({ items: [], nextPageToken: "2" });
  const message = z
    .object({ type: z.literal("purge-agent"), agentId: z.string() })
    .parse(sent.at(-1));
  const until = Number.MAX_SAFE_INTEGER;
  await purge({ ...message, tenantId: world.tenantId }, { ...deps, clock: ctx.clock, until });
  await addAgents(world, ["gone"]);
  expect(await listIds(world)).toEqual([kept.id]);
});
