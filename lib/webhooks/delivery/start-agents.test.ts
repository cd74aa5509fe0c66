import { beforeAll, describe, expect, test } from "vitest";
import { again, dispatchBatch, first } from "../../../test/harness/deliveries.ts";
import {
  type DeliveryBatches,
  testDeliveryBatches,
} from "../../../test/harness/delivery-batches.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { createGuardrail } from "../../agents/guardrail/create-guardrail.ts";
import { CreateGuardrailBody } from "../../agents/guardrail/schemas.ts";
import { currentRequestId } from "../../platform/runtime/request-scope.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";

describe("an agent that only computes", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const acceptAll = (world: DeliveryBatches, count: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) =>
      world.accept({ deliveryId: `d-${at}`, payload: at, ...more }),
    );
  const expectEnded = async (world: DeliveryBatches, count: number) => {
    const records = await world.list("a");
    expect(records.map(({ status }) => status)).toEqual(Array(count).fill("Succeeded"));
    expect((await world.counted("a")).executions).toBe(count);
    expect(await world.open()).toEqual([]);
  };

  test.each([
    [1, {}, ["PutItem", "TransactWriteItems"]],
    [10, {}, ["BatchExecuteStatement", "TransactWriteItems"]],
    // Text that compresses badly, so that each input has an item of its own.
    [10, { large: true }, ["BatchExecuteStatement", "BatchExecuteStatement", "TransactWriteItems"]],
  ])(
    "has ended when %i deliveries of a call are dispatched (%o), in one transaction and without a message",
    async (count, { large = false }: { large?: boolean }, writes) => {
      const world = await testDeliveryBatches(db);
      await dispatchBatch(world.deps, first([world.accept()]));
      const payload = Array.from({ length: 200 }, () => newUuid(world.tenant.ctx));
      const messages = acceptAll(world, count, large ? { payload } : {});
      db.calls.length = 0;
      await dispatchBatch(world.deps, first(messages));
      const made = db.calls.filter((name) => name !== "PutItem" || !large);
      expect(made).toEqual(["Query", "BatchGetItem", ...writes]);
      expect(world.sent).toEqual([]);
      await expectEnded(world, count + 1);
    },
  );

  test("has the input, output and trigger of one that a worker runs", async () => {
    const [own, queued] = [
      await testDeliveryBatches(db),
      await testDeliveryBatches(db, { isQueued: true }),
    ];
    const show = async (world: DeliveryBatches) => {
      await dispatchBatch(
        world.deps,
        first([world.accept({ deliveryId: "d", payload: { n: 7 } })]),
      );
      await world.runAll();
      const [{ id = "" } = {}] = await world.list("a");
      const { item, input, output } = await world.read("a", id);
      const { agentRevision, status, trigger, environmentSlug, totalCost } = item;
      const isOwn = trigger.id === world.webhook.id;
      const record = {
        agentRevision,
        status,
        type: trigger.type,
        isOwn,
        environmentSlug,
        totalCost,
      };
      return { record, input: input.input, output: output?.output };
    };
    const shown = await show(own);
    expect(shown).toMatchObject({ record: { status: "Succeeded", isOwn: true }, output: { n: 7 } });
    expect(shown).toEqual(await show(queued));
  });

  test("is queued if it does not end in half a second, and the others of its call are not", async () => {
    const world = await testDeliveryBatches(db);
    const limits: number[] = [];
    const { sleep } = world.deps;
    const deps: typeof world.deps = {
      ...world.deps,
      // The time of the second is over before its first step.
      sleep: (ms, signal) => {
        if (ms !== 500) return sleep(ms, signal);
        limits.push(ms);
        return limits.length === 3 ? Promise.resolve() : sleep(ms, signal);
      },
    };
    await dispatchBatch(deps, first(acceptAll(world, 3)));
    expect(world.listRuns()).toHaveLength(1);
    const statuses = (await world.list("a")).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(["Queued", "Succeeded", "Succeeded"]);
    await world.runAll();
    await expectEnded(world, 3);
  });

  test.each([
    ["is queued if its end cannot be written", "failNext", 3],
    ["has ended if only the response to its end is lost", "loseNextResponse", 0],
  ] as const)("%s", async (_, fail, queued) => {
    const world = await testDeliveryBatches(db);
    db[fail]("TransactWriteItems");
    await dispatchBatch(world.deps, first(acceptAll(world, 3)));
    db.clearFailures();
    const statuses = (await world.list("a")).map(({ status }) => status);
    expect(statuses.filter((status) => status === "Queued")).toHaveLength(queued);
    await world.runAll();
    await expectEnded(world, 3);
  });

  test("runs once if its message is delivered again, also after a function was killed before its end", async () => {
    const world = await testDeliveryBatches(db);
    const batch = first(acceptAll(world, 5));
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    db.beforeNext("TransactWriteItems", () => {
      resolve();
      return new Promise<void>(() => undefined);
    });
    void dispatchBatch(world.deps, batch);
    await reached;
    expect(await world.list("a")).toEqual([]);
    // The attempt before may have had no time for it: workers run it.
    await dispatchBatch(world.deps, again(batch));
    expect(world.listRuns()).toHaveLength(5);
    await world.runAll();
    await expectEnded(world, 5);
    await dispatchBatch(world.deps, again(again(batch)));
    await world.runAll();
    await expectEnded(world, 5);
  });

  test("runs in the whole time of an execution if its delivery waited longer than that", async () => {
    const world = await testDeliveryBatches(db);
    const batch = first(acceptAll(world, 2));
    world.tenant.advance(20 * 60_000);
    await dispatchBatch(world.deps, batch);
    expect(world.sent).toEqual([]);
    await expectEnded(world, 2);
  });

  test("runs with nine others at the same time, and those after ten that took too long are queued", async () => {
    const world = await testDeliveryBatches(db, { subscribers: 10 });
    const { sleep } = world.deps;
    let isOver = false;
    let transactions = 0;
    const count = async () => {
      transactions += 1;
      db.beforeNext("TransactWriteItems", count);
    };
    db.beforeNext("TransactWriteItems", count);
    const call = {
      inTurn: <Result>(work: () => Promise<Result>) => {
        isOver = transactions === 2;
        return work();
      },
    };
    const deps: typeof world.deps = {
      ...world.deps,
      sleep: (ms, signal) => (isOver && ms === 500 ? Promise.resolve() : sleep(ms, signal)),
    };
    await dispatchBatch(deps, first(acceptAll(world, 4)), call);
    db.clearFailures();
    expect(world.listRuns()).toHaveLength(20);
    await world.runAll();
    await expectEnded(world, 40);
  });

  test("does not begin to run in the last ten seconds before the function's timeout", async () => {
    const world = await testDeliveryBatches(db);
    const call = {
      inTurn: <Result>(work: () => Promise<Result>) => {
        world.tenant.advance(10_000);
        return work();
      },
    };
    await dispatchBatch(world.deps, first(acceptAll(world, 2)), call);
    expect(world.listRuns()).toHaveLength(2);
    await world.runAll();
    await expectEnded(world, 2);
  });

  test("is queued immediately if another subscriber of the delivery computes for long", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    await world.deploy("b", {
      flow: { steps: [{ id: "out", type: "Output", value: 1 }], edges: [] },
    });
    await world.subscribe({ subscriberId: "b" });
    const queued = Promise.withResolvers<void>();
    const send: typeof world.deps.send = async (...message) => {
      await world.deps.send(...message);
      queued.resolve();
    };
    const call = {
      inTurn: async <Result>(work: () => Promise<Result>) => {
        await queued.promise;
        return work();
      },
    };
    await dispatchBatch({ ...world.deps, send }, first(acceptAll(world, 1)), call);
    expect(world.listRuns()).toMatchObject([{ agentId: "a" }]);
    expect(await world.list("b")).toMatchObject([{ status: "Succeeded" }]);
    await world.runAll();
  });

  test("is queued if a guardrail checks it", async () => {
    const world = await testDeliveryBatches(db);
    const checks = [{ id: "c", type: "Pii", on: ["output"], action: "mask" }];
    const body = CreateGuardrailBody.parse({ id: "privacy", displayName: "Privacy", checks });
    await createGuardrail({ db }, { ctx: world.tenant.ctx, body });
    const steps = [{ id: "out", type: "Output", value: "done" }];
    await world.deploy("a", { flow: { steps, edges: [] }, guardrails: ["privacy"] });
    await dispatchBatch(world.deps, first(acceptAll(world, 2)));
    expect(world.listRuns()).toHaveLength(2);
    await world.runAll();
    await expectEnded(world, 2);
  });

  test("runs for the request of its delivery", async () => {
    const world = await testDeliveryBatches(db);
    const scopes: (string | undefined)[] = [];
    const endHooks: typeof world.deps.endHooks = {
      ...world.deps.endHooks,
      afterEnd: async (...given) => {
        scopes.push(currentRequestId());
        await world.deps.endHooks.afterEnd(...given);
      },
    };
    const batch = first(acceptAll(world, 2)).map((one, at) => ({ ...one, requestId: `r-${at}` }));
    await dispatchBatch({ ...world.deps, endHooks }, batch);
    expect(scopes.toSorted()).toEqual(["r-0", "r-1"]);
  });
});
