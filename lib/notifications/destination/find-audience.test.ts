import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { createTenant } from "../../tenancy/tenant/create-tenant.ts";
import { createEventDestination } from "./create-event-destination.ts";
import { audienceKeptMs, findAudience } from "./find-audience.ts";

test("the event types of an organization's active destinations are its audience", async () => {
  const db = await testDatabase();
  const { ctx, deps } = testTenant(db);
  const input = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
  const { id } = await createTenant(deps, { ctx, body: input });
  const tenantId = TenantId.parse(id);
  const tenant = { ...ctx.tenant, id: tenantId };
  const url = "https://events.example.com/wharf";
  const create = (active: boolean, eventTypes: ("api_key.issued" | "api_key.revoked")[]) =>
    createEventDestination(
      { ...deps, outgoing: {} },
      {
        ctx: { ...ctx, tenant },
        body: { type: "webhook", url, eventTypes, active, description: null },
      },
    );
  const { organizationId } = tenant;
  expect(await findAudience(db, tenantId, 0)).toEqual({ organizationId, types: new Set() });
  await create(true, ["api_key.issued"]);
  await create(false, ["api_key.revoked"]);
  expect(await findAudience(db, tenantId, audienceKeptMs)).toEqual({
    organizationId,
    types: new Set(["api_key.issued"]),
  });
});

test("the audience of an organization is read once in ten seconds, and again after a failure", async () => {
  const db = await testDatabase();
  const { ctx, deps } = testTenant(db);
  const input = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
  const { id } = await createTenant(deps, { ctx, body: input });
  const tenantId = TenantId.parse(id);
  db.failNext("Query");
  await expect(findAudience(db, tenantId, 0)).rejects.toThrow("planned failure");
  db.calls.length = 0;
  for (const now of [0, 1, audienceKeptMs - 1, audienceKeptMs]) {
    await findAudience(db, tenantId, now);
  }
  expect(db.calls).toEqual(["Query", "Query"]);
});

test("a tenant that does not exist has no audience", async () => {
  const db = await testDatabase();
  expect(await findAudience(db, TenantId.parse(randomUUID()), 0)).toBeUndefined();
});
