import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getTenant } from "../../lib/tenant/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getTenant, async ({ ctx }) => {
  const tenant = await getTenant(database(), ctx.tenant.id);
  if (!tenant) throw notFound("tenant", ctx.tenant.id);
  return tenant;
});
