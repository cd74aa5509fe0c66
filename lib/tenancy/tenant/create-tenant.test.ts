import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createTenant } from "./create-tenant.ts";
import { TenantSlug } from "./schemas.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

test("a tenant belongs to its creator's organization", async () => {
  const { ctx, deps } = testTenant(db);
  const slug = randomUUID().slice(0, 8);
  const tenant = await createTenant(deps, { ctx, body: { slug, displayName: "Acme" } });
  expect(tenant).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    slug,
    displayName: "Acme",
    organizationId: ctx.principal.organizationId,
    retention: { executionDays: 400, traceDays: 30, deliveryDays: 30 },
    embedding: null,
    guardrails: [],
    createdAt: ctx.clock(),
    modifiedAt: ctx.clock(),
  });
});

test("a slug that another organization has is refused with 409, and nothing is written", async () => {
  const [first, second] = [testTenant(db), testTenant(db)];
  const input = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
  await createTenant(first.deps, { ctx: first.ctx, body: input });
  const before = await db.scan();
  await expect(createTenant(second.deps, { ctx: second.ctx, body: input })).rejects.toMatchObject({
    slug: "conflict",
  });
  expect(await db.scan()).toEqual(before);
});

test.each(["-a", "a-", "A", "a_b", "", "a".repeat(64), randomUUID()])("%j is no slug", (slug) => {
  expect(TenantSlug.safeParse(slug).success).toBe(false);
});
