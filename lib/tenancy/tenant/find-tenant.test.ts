import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createTenant } from "./create-tenant.ts";
import { findTenant } from "./find-tenant.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const existing = async () => {
  const { ctx, deps } = testTenant(db);
  const input = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
  return { ctx, tenant: await createTenant(deps, { ctx, body: input }) };
};

test("a tenant is found by its id and by its slug", async () => {
  const { ctx, tenant } = await existing();
  for (const name of [tenant.id, tenant.slug]) {
    expect(await findTenant(db, name, ctx.principal, ctx.clock())).toMatchObject({ id: tenant.id });
  }
});

test("another organization's tenant and an unknown tenant return the same 404", async () => {
  const { tenant } = await existing();
  const { ctx } = testTenant(db);
  for (const name of [tenant.id, tenant.slug, "nobody"]) {
    await expect(findTenant(db, name, ctx.principal, ctx.clock())).rejects.toMatchObject({
      slug: "not-found",
    });
  }
});

test("a cached tenant costs no storage call", async () => {
  const { ctx, tenant } = await existing();
  await findTenant(db, tenant.id, ctx.principal, ctx.clock());
  db.calls.length = 0;
  await findTenant(db, tenant.id, ctx.principal, ctx.clock());
  expect(db.calls).toEqual([]);
});
