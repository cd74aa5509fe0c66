import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { createTenant } from "../../tenancy/tenant/create-tenant.ts";
import { createEventDestination } from "./create-event-destination.ts";
import { findAudience } from "./find-audience.ts";

test("the event types of an organization's active destinations are its audience", async () => {
  const db = await testDatabase();
  const { ctx, deps } = testTenant(db);
  const input = { slug: randomUUID().slice(0, 8), displayName: "Acme" };
  const { id } = await createTenant({ ctx, input, deps });
  const tenantId = TenantId.parse(id);
  const tenant = { ...ctx.tenant, id: tenantId };
  const url = "https://events.example.com/wharf";
  const create = (active: boolean, eventTypes: ("api_key.issued" | "api_key.revoked")[]) =>
    createEventDestination({
      ctx: { ...ctx, tenant },
      input: { url, eventTypes, active, description: null },
      deps: { ...deps, outgoing: {} },
    });
  const { organizationId } = tenant;
  expect(await findAudience(db, tenantId)).toEqual({ organizationId, types: new Set() });
  await create(true, ["api_key.issued"]);
  await create(false, ["api_key.revoked"]);
  expect(await findAudience(db, tenantId)).toEqual({
    organizationId,
    types: new Set(["api_key.issued"]),
  });
});

test("a tenant that does not exist has no audience", async () => {
  const db = await testDatabase();
  expect(await findAudience(db, TenantId.parse(randomUUID()))).toBeUndefined();
});
