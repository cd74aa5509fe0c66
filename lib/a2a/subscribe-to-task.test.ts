import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { buildFlow, passUntilEnd, testWaiting } from "../../test/harness/waiting.ts";
import type { StreamResponse } from "./schemas.ts";
import { subscribeToTask } from "./subscribe-to-task.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const pausing = buildFlow([{ id: "pause", type: "Wait", seconds: 86_400 }], []);

test.each([
  ["after two minutes", 900_000, 120_000],
  ["five seconds before the end of its function", 60_000, 55_000],
])("a subscription to a task that continues ends %s", async (_, timeoutMs, lastsMs) => {
  const world = testWaiting(db);
  const { ctx } = world.tenant;
  const { clock } = ctx;
  await world.deploy("pay", pausing);
  const { executionId: id } = (await world.execute("pay")).execution;
  const sent: StreamResponse[] = [];
  const sink = { send: (event: StreamResponse) => void sent.push(event), hasLeft: () => false };
  const subscribed = subscribeToTask(world.deps, {
    ctx: { ...ctx, deadline: clock() + timeoutMs },
    agentId: "pay",
    id,
    sink,
  });
  const { result, lastedMs } = await passUntilEnd(world, subscribed, lastsMs);
  expect(lastedMs).toBeLessThan(lastsMs + 20_000);
  expect(result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(sent).toEqual([{ task: expect.objectContaining({ id }) }]);
});
