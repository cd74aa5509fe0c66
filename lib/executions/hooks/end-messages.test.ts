import { beforeAll, expect, test } from "vitest";
import { testMemories } from "../../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { OrganizationEvent, unsentMessageType } from "../../platform/outbox/organization-event.ts";
import { sweepOutbox } from "../../platform/outbox/sweep-outbox.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { RememberExecutionMessage } from "../messages.ts";
import { queueUnsentMessage } from "./end-messages.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

test("a message that cannot be queued at an end neither repeats the execution nor is lost: the outbox sends it", async () => {
  let calls = 0;
  const world = testMemories(db, (_, { system }) => {
    const isQuestion = system?.includes("long-term memory") === true;
    if (!isQuestion) calls += 1;
    return isQuestion ? JSON.stringify({ facts: ["Ada drinks tea."] }) : "Fine.";
  });
  const { ctx } = world.tenant;
  const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
  await putNewTenant(db, {
    ...ctx.tenant,
    slug: `t-${ctx.tenant.id}`.slice(0, 20),
    displayName: "T",
    ...times,
  });
  await world.deployWith("friend", {});
  const down = { ...world.deps, send: () => Promise.reject(new Error("the queue is down")) };
  const input = { user: "ada", said: "I drink tea." };
  const result = await world.executeToEnd("friend", { input }, down);
  expect(result.status).toBe("Succeeded");
  expect((await world.read("friend", result.executionId)).item.status).toBe("Succeeded");
  world.tenant.advance(1_200_000);
  expect(await world.recover()).toBe(0);
  expect(calls).toBe(1);
  const events: OrganizationEvent[] = [];
  await sweepOutbox({
    db,
    clock: ctx.clock,
    send: async (_queue, _group, message) => {
      const { event } = message as { event: OrganizationEvent };
      if (event.tenantId === world.tenantId) events.push(OrganizationEvent.parse(event));
    },
  });
  expect(events).toMatchObject([{ type: unsentMessageType, agentId: "friend" }]);
  for (const event of [...events, ...events]) await queueUnsentMessage(world.deps, event);
  expect(world.asked).toHaveLength(2);
  for (const message of world.asked) {
    await world.remember(RememberExecutionMessage.parse(message));
  }
  expect(await world.texts("friend", "ada")).toEqual(["Ada drinks tea."]);
});
