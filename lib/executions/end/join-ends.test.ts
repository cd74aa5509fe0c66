import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { dispatchBatch } from "../../../test/harness/deliveries.ts";
import { testDeliveryBatches } from "../../../test/harness/delivery-batches.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { countUsage } from "../../spending/usage/count-usage.ts";
import { endHooks } from "../hooks/end-hooks.ts";
import { leaseMs } from "../lease/execution-lease.ts";
import { joinEnds } from "./join-ends.ts";

describe("ends of runs that come at the same time", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  /** Returns ends that write a record and count an execution; those of `failing` have a failing condition. */
  const buildEnds = (count: number, failing: readonly number[] = []) => {
    const { ctx } = testTenant(db);
    const tenantId = ctx.tenant.id;
    const ends = Array.from({ length: count }, (_, at): TransactionWrite[] => {
      const id = newUuid(ctx);
      const item = { id, agentId: "a", agentRevision: 1, startTime: ctx.clock() };
      return [
        {
          Put: {
            Item: { pk: `TENANT#${tenantId}`, sk: `RECORD#${at}` },
            ...(failing.includes(at) && { ConditionExpression: "attribute_exists(pk)" }),
          },
        },
        countUsage(
          tenantId,
          { ...item, status: "Succeeded", trigger: { type: 2 } },
          { models: [] },
        ),
      ];
    });
    const countStored = async () => {
      const own = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId));
      const counters = own.filter(({ pk }) => String(pk).includes("#USAGE#"));
      return { records: own.length - counters.length, counters };
    };
    return { ends, countStored };
  };
  const never = 2 ** 31 - 1;

  test("are written in one transaction, with one counter", async () => {
    const { ends, countStored } = buildEnds(10);
    const { joinEnd } = joinEnds({ db, endHooks }, { runs: 10, gatherMs: never });
    db.calls.length = 0;
    const outcomes = await Promise.all(ends.map(joinEnd));
    expect(outcomes).toEqual(Array(10).fill({ written: true }));
    expect(db.calls).toEqual(["TransactWriteItems"]);
    const { records, counters } = await countStored();
    expect([records, counters.length]).toEqual([10, 1]);
  });

  test("are written one by one if a condition fails, which fails for its own alone", async () => {
    const { ends, countStored } = buildEnds(4, [2]);
    const { joinEnd } = joinEnds({ db, endHooks }, { runs: 4, gatherMs: never });
    const outcomes = await Promise.all(ends.map(joinEnd));
    expect(outcomes.map(({ written }) => written)).toEqual([true, true, false, true]);
    expect(outcomes[2]).toEqual({ written: false, failed: [true, false] });
    expect((await countStored()).records).toBe(3);
  });

  test("are written one by one if another write conflicts", async () => {
    const { ends, countStored } = buildEnds(3);
    let conflicts = 1;
    const client = Object.create(db.client, {
      send: {
        value: (command: Parameters<typeof db.client.send>[0]) => {
          if (conflicts === 0) return db.client.send(command);
          conflicts -= 1;
          const CancellationReasons = [{ Code: "TransactionConflict" }];
          const fault = { message: "conflict", $metadata: {}, CancellationReasons };
          throw new TransactionCanceledException(fault);
        },
      },
    });
    const { joinEnd } = joinEnds({ db: { ...db, client }, endHooks }, { runs: 3, gatherMs: never });
    expect(await Promise.all(ends.map(joinEnd))).toEqual(Array(3).fill({ written: true }));
    expect((await countStored()).records).toBe(3);
  });

  test("do not wait for a run that is over, nor for one that takes long", async () => {
    const { ends } = buildEnds(2);
    const [first = [], second = []] = ends;
    const over = joinEnds({ db, endHooks }, { runs: 2, gatherMs: never });
    const written = over.joinEnd(first);
    over.leave();
    expect(await written).toEqual({ written: true });
    const long = joinEnds({ db, endHooks }, { runs: 2, gatherMs: 1 });
    expect(await long.joinEnd(second)).toEqual({ written: true });
  });

  test("that write the same item are not in one transaction", async () => {
    const { ends, countStored } = buildEnds(1);
    const [end = []] = ends;
    const { joinEnd } = joinEnds({ db, endHooks }, { runs: 2, gatherMs: never });
    expect(await Promise.all([joinEnd(end), joinEnd(end)])).toEqual(
      Array(2).fill({ written: true }),
    );
    expect((await countStored()).records).toBe(1);
  });

  test("are counted once if the response to their transaction is lost, and their message delivered again", {
    tags: "nightly",
  }, async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const messages = Array.from({ length: 10 }, () => world.accept());
    await dispatchBatch(
      world.deps,
      messages.map((message) => ({ message, attempt: 1 })),
    );
    const queued = world.sent.map(({ message }) => message);
    db.loseNextResponse("TransactWriteItems");
    await expect(world.runAll()).rejects.toThrow("planned loss");
    world.tenant.advance(leaseMs + 1);
    world.tenant.sent.push(...queued);
    await world.work();
    const statuses = (await world.list("a")).map(({ status }) => status);
    expect(statuses).toEqual(Array(10).fill("Succeeded"));
    expect((await world.counted("a")).executions).toBe(10);
  });
});
