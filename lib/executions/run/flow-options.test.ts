import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { triggerTypes } from "../schemas.ts";
import { findPeople } from "./flow-options.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const find = (type: number, id: string, more: object = {}) => {
  const { ctx } = testTenant(db);
  const item = {
    id: "0193f0a0-7c4b-7000-8000-000000000000",
    tenantId: ctx.tenant.id,
    agentId: "host",
    session: null,
    trigger: { type, id, provider: null },
    endUserId: "ada",
    ...more,
  };
  return findPeople({ db, runtime: ctx }, item)();
};

test("people with the same id in the chats of two connectors, and an end user of the API, are different people", async () => {
  const people = [
    await find(triggerTypes.connector, "slack-1"),
    await find(triggerTypes.connector, "telegram-1"),
    await find(triggerTypes.api, "key-1"),
  ];
  expect(people).toEqual([
    { endUserId: "slack-1:ada" },
    { endUserId: "telegram-1:ada" },
    { endUserId: "ada" },
  ]);
});

test("a user who acts for no other end user may name themselves", async () => {
  const own = { actsForSelf: true };
  expect(await find(triggerTypes.api, "ada", own)).toEqual({ endUserId: "ada" });
  await expect(find(triggerTypes.api, "bob", own)).rejects.toThrow("of another end user");
});
