import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { purge } from "../../functions/workers/purge-deleted.ts";
import { type CountingProxy, startCountingProxy } from "../../test/bench/counting-proxy.ts";
import { unitsByPartition } from "../../test/bench/partitions.ts";
import type { FaultName } from "../../test/faults/fault-kinds.ts";
import { type FaultProxy, startFaultProxy } from "../../test/faults/fault-proxy.ts";
import { testExecutions } from "../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { deleteAgent } from "../agents/agent/delete-agent.ts";
import { getAgent } from "../agents/agent/store.ts";
import { newUuid, uuidAt } from "../platform/runtime/runtime.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { executionsLists } from "./keys.ts";
import { listExecutions } from "./list-executions.ts";
import { triggerTypes } from "./schemas.ts";
import { newPlace } from "./spread.ts";
import { createExecutions, type StartRequest } from "./start-execution.ts";

const echo = {
  parametersMetadata: [{ name: "text", type: "String" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.text %}" }], edges: [] },
};
const calling = {
  flow: {
    steps: [{ id: "call", type: "SubAgent", agentId: "a", input: { text: "hi" } }],
    edges: [],
  },
};
/** Longer than from a throttled write to the first execution that is spread further. */
const effectMs = 10_000;

describe("executions of an agent at the limit of a partition", () => {
  let counter: CountingProxy;
  let faults: FaultProxy;
  let db: TestDatabase;

  beforeAll(async () => {
    counter = await startCountingProxy();
    counter.attach(inject("dynamodbEndpoint"));
    faults = await startFaultProxy();
    faults.attach(counter.endpoint);
    db = await testDatabase(faults.endpoint);
  });
  afterAll(async () => {
    await faults.close();
    await counter.close();
  });

  const start = async () => {
    const world = testExecutions(db);
    await world.deploy("a", echo);
    const { ctx } = world.tenant;
    const partition = (count: number, at: number) =>
      executionsLists(world.tenantId, "a", count)[at]?.pk ?? "";
    /** Throttles writes to a partition, until a number of them were. */
    const throttle = (pk: string, operation: string, fault: FaultName, times: number) => {
      let left = times;
      faults.decide((call) => {
        const isMeant =
          left > 0 && call.operation === operation && call.body.includes(`"pk":{"S":"${pk}"}`);
        if (isMeant) left -= 1;
        return isMeant ? fault : undefined;
      });
    };
    let tokenCount = 0;
    const run = async (waitMs?: number) => {
      tokenCount += 1;
      const token = uuidAt(
        ctx.clock() + tokenCount,
        Uint8Array.of(...randomBytes(9), tokenCount * 5),
      );
      const { execution } = await world.execute("a", { input: { text: "hi" } }, waitMs, undefined, {
        token,
        earlier: [],
      });
      return execution.executionId;
    };
    /** Runs executions whose ids end in every digit, and returns the write units of each of their partitions. */
    const unitsOf16 = async () => {
      counter.take();
      for (let at = 0; at < 16; at += 1) await run();
      const units = unitsByPartition(counter.take(), (pk) => pk);
      return Array.from({ length: 16 }, (_, at) => units.get(partition(16, at)) ?? 0);
    };
    const shards = async () => (await getAgent(db, world.tenantId, "a"))?.executionShards;
    return { world, partition, throttle, run, unitsOf16, shards };
  };

  const raised = async () => {
    const started = await start();
    const { world, run } = started;
    const ids = [await run(), await run()];
    for (const count of [4, 16]) {
      world.tenant.advance(60_000);
      await world.spread("a", count);
      for (let at = 0; at < 5; at += 1) ids.push(await run());
    }
    world.tenant.advance(60_000);
    return { ...started, ids: ids.toReversed() };
  };

  test("are spread over 4 partitions and then 16, whose write units are equal", async () => {
    const { world, partition, throttle, run, unitsOf16, shards } = await start();
    const each = 3;
    expect(await unitsOf16()).toEqual([16 * each, ...Array(15).fill(0)]);
    throttle(partition(1, 0), "PutItem", "ThrottlingException", 2);
    await run();
    const from = world.tenant.ctx.clock() + effectMs;
    expect(await shards()).toEqual([{ count: 4, from }]);
    throttle(partition(1, 0), "PutItem", "ThrottlingException", 2);
    await run();
    expect(await shards()).toHaveLength(1);
    world.tenant.advance(effectMs);
    const four = 4 * each;
    expect(await unitsOf16()).toEqual(Array(4).fill([four, 0, 0, 0]).flat());
    throttle(partition(4, 1), "TransactWriteItems", "cancelled: ThrottlingError", 2);
    for (let at = 0; at < 16; at += 1) await run();
    expect((await shards())?.map(({ count }) => count)).toEqual([4, 16]);
    world.tenant.advance(effectMs);
    expect(await unitsOf16()).toEqual(Array(16).fill(each));
    throttle(partition(16, 1), "PutItem", "ThrottlingException", 2);
    for (let at = 0; at < 16; at += 1) await run();
    expect(await shards()).toHaveLength(2);
    expect((await world.list("a")).every(({ status }) => status === "Succeeded")).toBe(true);
  });

  test("are spread when they are written together, too", async () => {
    const { world, shards } = await start();
    const { tenantId } = world;
    const agent = await getAgent(db, tenantId, "a");
    if (!agent) throw new Error("no agent");
    const requests = Array.from(
      { length: 3 },
      (): StartRequest => ({
        ...newPlace(agent, newUuid(world.tenant.ctx)),
        tenantId,
        agentRevision: 1,
        parametersMetadata: [],
        trigger: { type: triggerTypes.webhook, id: "w", provider: "github" },
        input: { text: "hi" },
        metadata: {},
        isSample: false,
        runner: { type: "worker", agent },
      }),
    );
    let left = 2;
    faults.decide(({ operation }) => {
      if (operation !== "BatchExecuteStatement" || left === 0) return undefined;
      left -= 1;
      return "batch left undone";
    });
    const created = await createExecutions(world.deps, requests);
    expect(created.map((each) => "isNew" in each && each.isNew)).toEqual([true, true, true]);
    expect(await shards()).toHaveLength(1);
    world.tenant.advance(120_000);
    expect(await world.recover()).toBe(3);
    await world.work();
    expect((await world.list("a")).map(({ status }) => status)).toEqual(Array(3).fill("Succeeded"));
  });

  test("are not spread when a write is throttled once, or because of the index", async () => {
    const { partition, throttle, run, shards } = await start();
    throttle(partition(1, 0), "PutItem", "ThrottlingException", 1);
    await run();
    throttle(partition(1, 0), "PutItem", "ProvisionedThroughputExceededException", 5);
    await run();
    expect(await shards()).toEqual([]);
  });

  test("are one list, at any page size, and are found, cancelled and counted", async () => {
    const { world, ids, run } = await raised();
    const { tenantId } = world;
    const of = { tenantId, agentId: "a" };
    expect((await world.list("a")).map(({ id }) => id)).toEqual(ids);
    for (const size of [2, 5, 11, 12, 200]) {
      const seen: string[] = [];
      for (let skip: number | null = 0; skip !== null; ) {
        const page = await listExecutions(db, of, {}, { size, skip });
        seen.push(...(page?.items.map(({ id }) => id) ?? []));
        skip = page?.nextPageToken ? Number(page.nextPageToken) : null;
      }
      expect(seen).toEqual(ids);
    }
    for (const id of ids) {
      expect(await world.read("a", id)).toMatchObject({ item: { id }, output: { output: "hi" } });
    }
    const accepted = await run(0);
    expect(await cancelExecution(world.deps, tenantId, "a", accepted)).toMatchObject({
      status: "Cancelled",
    });
    await world.work();
    expect((await world.read("a", accepted)).item).toMatchObject({
      status: "Cancelled",
      settled: true,
    });
    const selection = { matches: ({ status }: { status: string }) => status === "Cancelled" };
    const matching = await listExecutions(db, of, selection, { size: 5, skip: 0 });
    expect(matching).toMatchObject({ items: [{ id: accepted }], nextPageToken: null });
    expect((await world.counted("a")).executions).toBe(ids.length + 1);
  });

  test("end although their messages are lost, and as sub-agents", async () => {
    const { world, run } = await raised();
    const accepted = [await run(0), await run(0), await run(0)];
    world.tenant.sent.splice(0);
    world.tenant.advance(120_000);
    expect(await world.recover()).toBe(3);
    await world.work();
    for (const id of accepted) expect((await world.read("a", id)).item.status).toBe("Succeeded");
    await world.deploy("b", calling);
    expect(await world.executeToEnd("b")).toMatchObject({ status: "Succeeded" });
    expect(await world.open()).toEqual([]);
  });

  test("cost one round trip more to find, and an agent that never was at a limit costs none", async () => {
    const { world, ids } = await raised();
    const ordinary = await start();
    const ordinaryId = await ordinary.run();
    db.calls.length = 0;
    await ordinary.world.list("a");
    expect(db.calls).toEqual(["GetItem", "Query"]);
    db.calls.length = 0;
    await cancelExecution(world.deps, ordinary.world.tenantId, "a", ordinaryId).catch(
      () => undefined,
    );
    expect(db.calls).toEqual(["BatchGetItem", "UpdateItem"]);
    db.calls.length = 0;
    await cancelExecution(world.deps, world.tenantId, "a", ids[0] ?? "").catch(() => undefined);
    expect(db.calls).toEqual(["BatchGetItem", "BatchGetItem", "UpdateItem"]);
  });

  test("leave nothing when their agent is deleted", async () => {
    const { world } = await raised();
    const { deps, ctx, sent } = world.tenant;
    await deleteAgent(world.tenantId, "a", deps);
    const message = z
      .object({ type: z.literal("purge-agent"), agentId: z.string() })
      .parse(sent.at(-1));
    const until = Number.MAX_SAFE_INTEGER;
    await purge({ ...message, tenantId: world.tenantId }, { ...deps, clock: ctx.clock, until });
    const left = (await db.scan()).filter(({ sk }) => String(sk).startsWith("EXEC#"));
    expect(left.filter(({ pk }) => String(pk).includes(world.tenantId))).toEqual([]);
  });

  test("have one place, however often their cause is processed while the agent is spread", () => {
    const time = Date.UTC(2026, 10, 20);
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        fc.array(fc.integer({ min: 0, max: 120_000 }), { maxLength: 2 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (random, spreads, first, later) => {
          const id = uuidAt(time, random);
          const writes = spreads
            .toSorted((one, other) => one - other)
            .map((at) => time - 60_000 + at);
          const readAt = (at: number) => ({
            id: "a",
            executionShards: writes
              .filter((write) => write <= at)
              .map((write, level) => ({ count: level === 0 ? 4 : 16, from: write + effectMs })),
          });
          const place = newPlace(readAt(time + first), id);
          expect(newPlace(readAt(time + first + later), id)).toEqual(place);
        },
      ),
    );
  });
});
