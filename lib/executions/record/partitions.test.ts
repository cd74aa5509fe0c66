import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { type CountingProxy, startCountingProxy } from "../../../test/bench/counting-proxy.ts";
import { unitsByPartition } from "../../../test/bench/partitions.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { listExecutions } from "../read/list-executions.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { executionsLists } from "./keys.ts";

const echo = {
  parametersMetadata: [{ name: "text", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.text %}" }], edges: [] },
};

describe("executions of an agent", () => {
  let counter: CountingProxy;
  let db: TestDatabase;

  beforeAll(async () => {
    counter = await startCountingProxy();
    counter.attach(inject("dynamodbEndpoint"));
    db = await testDatabase(counter.endpoint);
  });
  afterAll(() => counter.close());

  const start = async () => {
    const world = testExecutions(db);
    await world.deploy("a", echo);
    const { ctx } = world.tenant;
    let started = 0;
    /** Runs an execution; the ids of successive ones end in successive digits. */
    const run = async (waitMs?: number) => {
      started += 1;
      const token = uuidAt(ctx.clock() + started, Uint8Array.of(...randomBytes(9), started % 16));
      const { execution } = await world.execute("a", { input: { text: "hi" } }, waitMs, undefined, {
        token,
        earlier: [],
      });
      return execution.executionId;
    };
    const runMany = async (count: number) => {
      const ids: string[] = [];
      for (let at = 0; at < count; at += 1) ids.push(await run());
      return ids.toReversed();
    };
    return { world, run, runMany };
  };

  test("write equally many units to each of four partitions", { tags: "nightly" }, async () => {
    const { world, runMany } = await start();
    counter.take();
    await runMany(16);
    const units = unitsByPartition(counter.take(), (pk) => pk);
    const lists = executionsLists(world.tenantId, "a");
    expect(lists.map(({ pk }) => units.get(pk))).toEqual([8, 8, 8, 8]);
  });

  test("are one list, at any page size, and are found by their ids", {
    tags: "nightly",
  }, async () => {
    const { world, runMany } = await start();
    const ids = await runMany(13);
    const agent = { tenantId: world.tenantId, agentId: "a" };
    expect((await world.list("a")).map(({ id }) => id)).toEqual(ids);
    for (const size of [2, 5, 12, 13, 200]) {
      const seen: string[] = [];
      for (let skip: number | null = 0; skip !== null; ) {
        const now = world.tenant.ctx.clock();
        const page = await listExecutions(db, agent, { now }, { size, skip });
        seen.push(...(page?.items.map(({ id }) => id) ?? []));
        skip = page?.nextPageToken ? Number(page.nextPageToken) : null;
      }
      expect(seen).toEqual(ids);
    }
    for (const id of ids) {
      expect(await world.read("a", id)).toMatchObject({ item: { id }, output: { output: "hi" } });
    }
  });

  test("are filtered over all partitions", { tags: "nightly" }, async () => {
    const { world, run, runMany } = await start();
    await runMany(4);
    const accepted = await run(0);
    await runMany(4);
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId: accepted,
    });
    const agent = { tenantId: world.tenantId, agentId: "a" };
    const selection = { matches: ({ status }: { status: string }) => status === "Cancelled" };
    const matching = await listExecutions(
      db,
      agent,
      { ...selection, now: world.tenant.ctx.clock() },
      { size: 5, skip: 0 },
    );
    expect(matching).toMatchObject({ items: [{ id: accepted }], nextPageToken: null });
  });

  test("are read in one call, and listed in four queries next to the agent", {
    tags: "nightly",
  }, async () => {
    const { world, run } = await start();
    const id = await run();
    db.calls.length = 0;
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId: id,
    }).catch(() => undefined);
    expect(db.calls).toEqual(["BatchGetItem", "UpdateItem"]);
    db.calls.length = 0;
    await world.list("a");
    expect(db.calls.toSorted()).toEqual(["GetItem", "Query", "Query", "Query", "Query"]);
  });

  test("leave nothing when their agent is deleted", { tags: "nightly" }, async () => {
    const { world, runMany } = await start();
    await runMany(8);
    const { deps, ctx, sent } = world.tenant;
    await deleteAgent(deps, { tenantId: world.tenantId, agentId: "a" });
    const message = z
      .object({ type: z.literal("purge-agent"), agentId: z.string() })
      .parse(sent.at(-1));
    const until = Number.MAX_SAFE_INTEGER;
    await purge({ ...message, tenantId: world.tenantId }, { ...deps, clock: ctx.clock, until });
    const left = (await db.scan()).filter(({ sk }) => String(sk).startsWith("EXEC#"));
    expect(left.filter(({ pk }) => String(pk).includes(world.tenantId))).toEqual([]);
  });
});
