import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getTenant as readTenant } from "../../lib/tenant/store.ts";
import { getTenant } from "./routes.ts";

export const handler = endpoint(getTenant, database, async ({ ctx }, db) => {
  const tenant = await readTenant(db, ctx.tenant.id);
  if (!tenant) throw notFound("tenant", ctx.tenant.id);
  return tenant;
});
