import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { transact } from "../../platform/db/transact.ts";
import { listOutbox } from "../../platform/outbox/outbox-store.ts";
import { auditWrites } from "./audit-writes.ts";
import { type AuditSelection, listAuditRecordsNewestFirst } from "./store.ts";

const dayMs = 86_400_000;
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const setUp = () => {
  const { ctx } = testTenant(db);
  const organizationId = randomUUID();
  const call = {
    ...ctx,
    requestId: "request",
    sourceIp: "192.0.2.1",
    userAgent: null,
    method: "PATCH",
    path: "/v1/tenants/acme/agents/triage",
    randomBytes,
  };
  const record = (time: number, resourceId: string, actorId = "someone") =>
    transact(
      db,
      auditWrites(
        {
          ...call,
          clock: () => time,
          principal: { ...ctx.principal, organizationId, id: actorId },
        },
        {
          tenantId: ctx.tenant.id,
          action: "updateAgent",
          resource: { type: "Agent", id: resourceId },
          changes: ["displayName"],
        },
      ),
    );
  const list = (selection: AuditSelection & { now: number }, size = 50, skip = 0) =>
    listAuditRecordsNewestFirst(db, organizationId, selection, { size, skip });
  return { organizationId, record, list };
};

test("records are listed newest first, page by page, by actor, resource and time", async () => {
  const { record, list } = setUp();
  for (const time of [1, 2, 3, 4]) await record(time * 1_000, time < 3 ? "a" : "b", `user ${time}`);
  const now = 5_000;
  const ids = async (selection: AuditSelection, size?: number, skip?: number) => {
    const page = await list({ ...selection, now }, size, skip);
    return [page.items.map(({ createdAt }) => createdAt / 1_000), page.nextPageToken];
  };
  expect(await ids({})).toEqual([[4, 3, 2, 1], null]);
  expect(await ids({}, 2)).toEqual([[4, 3], "2"]);
  expect(await ids({}, 2, 2)).toEqual([[2, 1], null]);
  expect(await ids({ actorId: "user 2" })).toEqual([[2], null]);
  expect(await ids({ resourceId: "b" })).toEqual([[4, 3], null]);
  expect(await ids({ resourceType: "Webhook" })).toEqual([[], null]);
  expect(await ids({ from: 2_000, to: 3_000 })).toEqual([[3, 2], null]);
});

test("a record is gone after 400 days, whether or not its item is deleted", async () => {
  const { record, list } = setUp();
  await record(1_000, "a");
  expect((await list({ now: 400 * dayMs })).items).toHaveLength(1);
  expect((await list({ now: 1_001 + 400 * dayMs })).items).toEqual([]);
  expect((await list({ to: 1_000, now: 1_001 + 400 * dayMs })).items).toEqual([]);
});

test("a record is published as an event of its organization, without a tenant", async () => {
  const { organizationId, record, list } = setUp();
  await record(1_000, "a");
  const [stored] = (await list({ now: 2_000 })).items;
  const events = await listOutbox(db);
  expect(events.filter((event) => event?.organizationId === organizationId)).toMatchObject([
    { id: `audit.recorded:${stored?.id}`, type: "audit.recorded", tenantId: null, data: stored },
  ]);
});
