import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { createTenant } from "./create-tenant.ts";
import { findOwner, findRetention, ownerKeptMs } from "./find-owner.ts";
import { UpdateTenantBody } from "./schemas.ts";
import { getTenant, listTenants, putChangedTenant } from "./store.ts";
import { updateTenant } from "./update-tenant.ts";

describe("a change of a tenant", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = async () => {
    const { ctx, deps, advance } = testTenant(db);
    const body = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
    const tenant = await createTenant(deps, { ctx, body });
    const id = TenantId.parse(tenant.id);
    const change = (changes: UpdateTenantBody) =>
      updateTenant(deps, {
        ctx: { ...ctx, tenant: { ...ctx.tenant, id } },
        body: UpdateTenantBody.parse(changes),
      });
    return { ctx, tenant, id, change, advance };
  };

  test("keeps what it does not name, in the tenant, by its slug and in the list", async () => {
    const { ctx, tenant, id, change } = await start();
    await change({ retention: { executionDays: 90 } });
    const changed = await change({ retention: { traceDays: 7 } });
    const retention = { executionDays: 90, traceDays: 7, deliveryDays: 30 };
    expect(changed).toMatchObject({ ...tenant, retention, modifiedAt: expect.any(Number) });
    expect(await getTenant(db, id)).toEqual(changed);
    expect(await listTenants(db, tenant.organizationId)).toEqual([changed]);
    expect(await findOwner(db, tenant.slug, ctx.clock())).toMatchObject({ id, retention });
  });

  test("is not lost to another one at the same time", async () => {
    const { id, change } = await start();
    await Promise.all([
      change({ displayName: "New" }),
      change({ retention: { executionDays: 5 } }),
      change({ retention: { deliveryDays: 6 } }),
    ]);
    expect(await getTenant(db, id)).toMatchObject({
      displayName: "New",
      retention: { executionDays: 5, traceDays: 30, deliveryDays: 6 },
    });
  });

  test("by another instance is seen after five minutes, and costs no read before", async () => {
    const { ctx, tenant, id, advance } = await start();
    await findRetention(db, id, ctx.clock());
    const retention = { executionDays: 1, traceDays: 1, deliveryDays: 1 };
    await putChangedTenant(db, tenant, { ...tenant, retention, modifiedAt: tenant.modifiedAt + 1 });
    db.calls.length = 0;
    advance(ownerKeptMs - 1);
    expect(await findRetention(db, id, ctx.clock())).toEqual(tenant.retention);
    expect(db.calls).toEqual([]);
    advance(1);
    expect(await findRetention(db, id, ctx.clock())).toEqual(retention);
  });

  test.each([{}, { retention: { executionDays: 0 } }, { retention: { traceDays: 3_651 } }])(
    "%j is refused",
    (body) => {
      expect(UpdateTenantBody.safeParse(body).success).toBe(false);
    },
  );
});
