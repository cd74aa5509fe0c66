import { beforeAll, describe, expect, test } from "vitest";
import { again, dispatchBatch, first } from "../../../test/harness/deliveries.ts";
import {
  type DeliveryBatches,
  type SentDelivery,
  testDeliveryBatches,
} from "../../../test/harness/delivery-batches.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { packValue } from "../../platform/db/large-value.ts";
import { currentRequestId, withRequestId } from "../../platform/runtime/request-scope.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { waitWithTimer } from "../../platform/runtime/wait.ts";
import { markAwaited } from "./awaited-store.ts";

const listStatuses = (outcomes: readonly PromiseSettledResult<void>[]) =>
  outcomes.map(({ status }) => status);

describe("a batch of deliveries", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const accepted = (
    world: DeliveryBatches,
    count: number,
    toSent: (at: number) => SentDelivery = (at) => ({ deliveryId: `d-${at}` }),
  ) => Array.from({ length: count }, (_, at) => world.accept({ payload: at, ...toSent(at) }));
  const expectOnce = async (world: DeliveryBatches, count: number) => {
    await world.runAll();
    const records = await world.list("a");
    expect(records.map(({ status }) => status)).toEqual(Array(count).fill("Succeeded"));
    expect((await world.counted("a")).executions).toBe(count);
  };

  test.each([
    [1, ["PutItem"]],
    [2, ["BatchExecuteStatement"]],
    // The batch of the executions is written before them.
    [5, ["BatchExecuteStatement", "PutItem"]],
    [10, ["BatchExecuteStatement", "PutItem"]],
  ])("of %i takes at most five storage calls and one message of runs", async (count, inserts) => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    await dispatchBatch(world.deps, first([world.accept()]));
    world.sent.length = 0;
    // Text that compresses badly, so that each input has an item of its own.
    const payload = Array.from({ length: 200 }, () => newUuid(world.tenant.ctx));
    const messages = accepted(world, count, () => ({ payload }));
    db.calls.length = 0;
    await dispatchBatch(world.deps, first(messages));
    expect(db.calls).toEqual(["Query", "BatchGetItem", ...inserts, "BatchExecuteStatement"]);
    expect(world.sent).toMatchObject([
      { queue: "executions", message: { runs: { length: count } } },
    ]);
  });

  test("retries only the message of a delivery that could not be stored", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const batch = first(accepted(world, 4));
    db.spoilNext(2);
    const outcomes = await dispatchBatch(world.deps, batch);
    expect(listStatuses(outcomes)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(world.listRuns()).toHaveLength(3);
    await dispatchBatch(world.deps, again(batch.slice(2, 3)));
    expect(world.listRuns()).toHaveLength(4);
    await expectOnce(world, 4);
  });

  test("retries only the message of a body that cannot be read", async () => {
    const world = await testDeliveryBatches(db);
    const missing = accepted(world, 1, () => ({ deliveryId: "large", object: "missing" }));
    const batch = first([...accepted(world, 2), ...missing]);
    const outcomes = await dispatchBatch(world.deps, batch);
    expect(listStatuses(outcomes)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    await expectOnce(world, 2);
  });

  test("that is delivered again starts nothing twice, and queues runs that may not have been queued", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const batch = first(accepted(world, 10));
    await dispatchBatch(world.deps, batch);
    expect(listStatuses(await dispatchBatch(world.deps, again(batch)))).toEqual(
      Array(10).fill("fulfilled"),
    );
    expect(world.listRuns()).toHaveLength(20);
    await expectOnce(world, 10);
  });

  test("that a killed function left between the inserts and the queueing runs every agent once when it is delivered again", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const batch = first(accepted(world, 10));
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const killed = () => {
      resolve();
      return new Promise<void>(() => undefined);
    };
    void dispatchBatch({ ...world.deps, send: killed }, batch);
    await reached;
    expect(world.listRuns()).toEqual([]);
    await dispatchBatch(world.deps, again(batch));
    expect(world.listRuns()).toHaveLength(10);
    await expectOnce(world, 10);
  });

  test.each([
    ["Query", true],
    ["BatchGetItem", true],
    ["BatchExecuteStatement", true],
    ["BatchExecuteStatement", false],
  ])(
    "is retried as a whole when its %s fails, and starts every agent once (on the queue: %s)",
    async (command, isQueued) => {
      const world = await testDeliveryBatches(db, { isQueued });
      const batch = first(accepted(world, 3));
      db.failNext(command);
      expect(listStatuses(await dispatchBatch(world.deps, batch))).toEqual(
        Array(3).fill("rejected"),
      );
      db.clearFailures();
      await dispatchBatch(world.deps, again(batch));
      await expectOnce(world, 3);
    },
  );

  test("at the same time as another with the same deliveries starts every agent once", {
    tags: "nightly",
  }, async () => {
    const world = await testDeliveryBatches(db);
    const messages = accepted(world, 5);
    const repeated = accepted(world, 5);
    await Promise.all(
      [messages, [...messages], repeated].map((batch) => dispatchBatch(world.deps, first(batch))),
    );
    await expectOnce(world, 5);
    const statuses = (await world.listStored()).map(({ status }) => status);
    expect(statuses.filter((status) => status === "Dispatched")).toHaveLength(5);
  });

  test("with a delivery, its repetition and its duplicates dispatches it once, and stores the duplicates", async () => {
    const world = await testDeliveryBatches(db);
    const [one] = accepted(world, 1);
    if (!one) throw new Error("nothing was accepted");
    world.tenant.advance(1);
    const [duplicate] = accepted(world, 1);
    const messages = [one, { ...one }, duplicate ?? one, ...accepted(world, 1, () => ({}))];
    const outcomes = await dispatchBatch(world.deps, first(messages));
    expect(listStatuses(outcomes)).toEqual(Array(4).fill("fulfilled"));
    const stored = await world.listStored();
    expect(stored.map(({ status }) => status).toSorted()).toEqual([
      "Dispatched",
      "Dispatched",
      "Duplicate",
    ]);
    await expectOnce(world, 2);
  });

  test("of signed deliveries is stored with one call, and dispatches the first of each body", {
    tags: "nightly",
  }, async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    await dispatchBatch(world.deps, first([world.accept()]));
    const messages = accepted(world, 10, (at) => ({
      deliveryId: `s-${at}`,
      signedBody: `b-${at}`,
    }));
    db.calls.length = 0;
    await dispatchBatch(world.deps, first(messages));
    const inserts = ["BatchExecuteStatement", "PutItem", "BatchExecuteStatement"];
    expect(db.calls).toEqual(["Query", "BatchGetItem", ...inserts]);
    world.tenant.advance(1);
    const copied = accepted(world, 3, (at) => ({ deliveryId: `t-${at}`, signedBody: "b-new" }));
    await dispatchBatch(world.deps, first([...copied, ...messages]));
    const stored = await world.listStored();
    expect(stored.filter(({ status }) => status === "Duplicate")).toHaveLength(2);
    await expectOnce(world, 12);
  });

  test("reads bodies in the bucket one at a time", { tags: "nightly" }, async () => {
    const world = await testDeliveryBatches(db);
    const { objects } = world.deps;
    for (const at of [0, 1, 2]) await packValue({ large: at }, `body-${at}`, objects, 0);
    const bodies = accepted(world, 3, (at) => ({ deliveryId: `l-${at}`, object: `body-${at}` }));
    let reading = 0;
    const together: number[] = [];
    const get = async (key: string) => {
      reading += 1;
      together.push(reading);
      const body = await objects.get(key);
      reading -= 1;
      return body;
    };
    const deps = { ...world.deps, objects: { ...objects, get } };
    await dispatchBatch(deps, first([...bodies, ...accepted(world, 2)]));
    expect(together).toEqual([1, 1, 1]);
    await expectOnce(world, 5);
  });

  test("keeps the order of its deliveries in the turns of a session", async () => {
    const world = await testDeliveryBatches(db, { subscribers: 0 });
    await world.deploy("a", {
      parametersMetadata: [{ name: "event", type: "Json" }],
      flow: {
        steps: [{ id: "out", type: "Output", value: "{% input.event.payload %}" }],
        edges: [],
      },
      useSession: true,
    });
    await world.subscribe({ session: "{% eventType %}" });
    const messages = accepted(world, 3);
    await dispatchBatch(world.deps, first(messages));
    const statuses = (await world.list("a")).map(({ status }) => status);
    expect(statuses).toEqual(["Queued", "Queued", "Queued"]);
    expect(world.listRuns()).toHaveLength(1);
    const { item, input } = await world.read("a", world.listRuns()[0]?.executionId ?? "");
    expect([item.status, input.input.input]).toMatchObject(["Queued", { event: { payload: 0 } }]);
  });

  test("queues the waits for events of each delivery", async () => {
    const world = await testDeliveryBatches(db);
    const mark = { token: "token", now: world.tenant.ctx.clock() };
    await markAwaited(db, { tenantId: world.tenantId, webhookId: world.webhook.id }, mark);
    const messages = accepted(world, 3);
    await dispatchBatch(world.deps, first(messages));
    const matches = world.sent.filter(({ queue }) => queue === "subscribers");
    expect(matches).toEqual(
      messages.map(({ id }) => ({
        queue: "subscribers",
        message: expect.objectContaining({ type: "match-waits", id, awaited: "token" }),
      })),
    );
  });

  test("with a delivery and its replay dispatches the delivery first", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const [message] = accepted(world, 1);
    if (!message) throw new Error("nothing was accepted");
    const { content: _, ...stored } = message;
    const replay = { ...stored, replayId: newUuid(world.tenant.ctx) };
    await dispatchBatch(world.deps, first([replay, message]));
    expect(world.sent.map(({ message }) => message)).toMatchObject([
      { type: "run-execution" },
      { type: "notify-subscribers", replayId: replay.replayId },
    ]);
  });

  test("keeps the id of the request of each delivery in its run, and of one alone in its message", async () => {
    const world = await testDeliveryBatches(db, { isQueued: true });
    const scopes: (string | undefined)[] = [];
    const deps = {
      ...world.deps,
      send: async (...args: Parameters<typeof world.deps.send>) => {
        scopes.push(currentRequestId());
        await world.deps.send(...args);
      },
    };
    const batch = first(accepted(world, 3)).map((one, at) => ({ ...one, requestId: `r-${at}` }));
    await dispatchBatch(deps, batch.slice(0, 2));
    await dispatchBatch(deps, batch.slice(2));
    expect(world.listRuns().map(({ requestId }) => requestId)).toEqual(["r-0", "r-1", undefined]);
    expect(scopes).toEqual([undefined, "r-2"]);
    const continued: (string | undefined)[] = [];
    db.beforeNext("UpdateItem", async () => continued.push(currentRequestId()));
    await withRequestId("of the message", () => world.runAll());
    expect(continued).toEqual(["r-0"]);
  });
});

describe("a batch of several tenants", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  /** Takes turns, and counts the turns at the same time. */
  const countTurns = () => {
    let last: Promise<unknown> = Promise.resolve();
    let running = 0;
    const together: number[] = [];
    const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
      const turn = last.then(async () => {
        running += 1;
        together.push(running);
        const result = await work();
        running -= 1;
        return result;
      });
      last = turn.catch(() => undefined);
      return turn;
    };
    return { together, call: { tenants: 2, inTurn } };
  };
  const never = () => new Promise<void>(() => undefined);
  const endless = { filter: "($f := function($n) { $f($n + 1) }; $f(0))" };

  test("evaluates the tenants' texts one after another, and a hostile one neither fails nor stops the other's", {
    tags: "nightly",
  }, async () => {
    const hostile = await testDeliveryBatches(db, { subscribers: 2, subscription: endless });
    const other = await testDeliveryBatches(db, {
      subscription: { filter: "payload = 1 + 0" },
      isQueued: true,
    });
    const { together, call } = countTurns();
    const messages = [hostile.accept(), hostile.accept()];
    const outcomes = await Promise.all([
      // Nothing but its processor time ends its evaluation.
      dispatchBatch({ ...hostile.deps, sleep: never }, first(messages), call),
      dispatchBatch({ ...other.deps, sleep: never }, first([other.accept({ payload: 1 })]), call),
    ]);
    expect(listStatuses(outcomes.flat())).toEqual(Array(3).fill("fulfilled"));
    expect(together).toEqual([1, 1]);
    expect(other.listRuns()).toHaveLength(1);
    // A separate notification has the time of a delivery.
    expect(hostile.sent.map(({ message }) => message)).toMatchObject(
      Array(4).fill({ type: "notify-subscriber" }),
    );
    const stored = (await hostile.listStored()).flatMap(({ targets }) => targets);
    expect(stored.map(({ status }) => status)).toEqual(Array(4).fill(undefined));
  });

  test("runs the tenants' agents one after another, and queues a hostile one that takes too long", {
    tags: "nightly",
  }, async () => {
    const hostile = await testDeliveryBatches(db, { subscribers: 10 });
    const value = "{% ($f := function($n) { $f($n + 1) }; $f(0)) %}";
    const steps = [{ id: "out", type: "Output", value }];
    await hostile.deploy("a", { flow: { steps, edges: [] } });
    const other = await testDeliveryBatches(db);
    const { together, call } = countTurns();
    const outcomes = await Promise.all([
      dispatchBatch(
        { ...hostile.deps, sleep: waitWithTimer },
        first([hostile.accept(), hostile.accept()]),
        call,
      ),
      dispatchBatch({ ...other.deps, sleep: waitWithTimer }, first([other.accept()]), call),
    ]);
    expect(listStatuses(outcomes.flat())).toEqual(Array(3).fill("fulfilled"));
    // Those of the subscriptions, and those of the agents.
    expect(together).toEqual([1, 1, 1, 1]);
    expect(await other.list("a")).toMatchObject([{ status: "Succeeded" }]);
    const statuses = (await hostile.list("a")).map(({ status }) => status);
    expect(statuses).toEqual(Array(20).fill("Queued"));
    expect(hostile.listRuns()).toHaveLength(20);
  });

  test("leaves evaluations that have no time left before the function's timeout to calls of their own", async () => {
    const world = await testDeliveryBatches(db);
    const deadline = world.tenant.ctx.clock() + 10_000;
    await dispatchBatch(world.deps, first([world.accept()]), { ...countTurns().call, deadline });
    expect(world.sent).toMatchObject([{ message: { type: "notify-subscriber" } }]);
  });
});
