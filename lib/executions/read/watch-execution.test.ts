import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { toExecutionKey } from "../record/keys.ts";
import { getExecution } from "../record/store.ts";
import { watchExecution } from "./watch-execution.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const pause = (id: string) => ({ id, type: "Wait", seconds: 60 });
/** Waits twice, for a minute each time. */
const waitingTwice = buildFlow([pause("one"), pause("two")], ["one>two"]);

/** Starts an agent, and returns what watches it. */
const open = async (flow = waitingTwice, respond?: (prompt: string) => Promise<string>) => {
  const world = testWaiting(db, respond);
  await world.deploy("a", flow);
  const { execution } = await world.execute("a");
  const read = async () => {
    const found = await getExecution(db, world.tenantId, "a", execution.executionId);
    if (!found) throw new Error("there is no execution");
    return found;
  };
  const watch = async (more: { throughWaits?: boolean; hasLeft?: () => boolean } = {}) => {
    const from = await read();
    const until = world.tenant.ctx.clock() + 600_000;
    const watched = { key: toExecutionKey(from.item), from, until, hasLeft: () => false, ...more };
    const statuses: string[] = [];
    const ended = (async () => {
      for await (const { item } of watchExecution(world.deps, watched)) statuses.push(item.status);
    })();
    return { statuses, ended };
  };
  return { world, watch };
};

test("a watch of a waiting execution ends when the next wait begins, though the run between was shorter than a pause", async () => {
  const { world, watch } = await open();
  const { statuses, ended } = await watch();
  await world.dueAfter(60_000);
  world.timers.pass(0);
  await ended;
  expect(statuses).toEqual(["Waiting"]);
});

test("a watch through waits ends with the execution, and that of an ended one immediately", async () => {
  const { world, watch } = await open();
  const { statuses, ended } = await watch({ throughWaits: true });
  await world.dueAfter(60_000);
  world.timers.pass(0);
  await expect.poll(() => statuses).toEqual(["Waiting"]);
  await world.dueAfter(60_000);
  await expect
    .poll(() => {
      world.timers.pass(2_000);
      return statuses;
    })
    .toEqual(["Waiting", "Succeeded"]);
  await ended;
  const before = db.calls.length;
  const again = await watch({ throughWaits: true });
  await again.ended;
  expect(again.statuses).toEqual([]);
  expect(db.calls.length - before).toBe(1);
});

test("a watch through waits yields an execution that runs after a wait whenever it is read: one of its branches may ask", async () => {
  const model = gate();
  const flow = buildFlow([pause("one"), ask("slow")], ["one>slow"]);
  const { world, watch } = await open(flow, async (prompt) => {
    await model.promise;
    return prompt;
  });
  const [through, other] = [await watch({ throughWaits: true }), await watch()];
  const running = world.dueAfter(60_000);
  await expect.poll(() => world.asked).toEqual(["asked slow"]);
  const passUntil = (isReached: () => boolean) =>
    expect
      .poll(() => {
        world.timers.pass(2_000);
        return isReached();
      })
      .toBe(true);
  await passUntil(() => through.statuses.length >= 3);
  expect(new Set(through.statuses)).toEqual(new Set(["Running"]));
  expect(other.statuses).toEqual(["Running"]);
  model.resolve();
  await running;
  await passUntil(() => through.statuses.at(-1) === "Succeeded");
  await Promise.all([through.ended, other.ended]);
});
