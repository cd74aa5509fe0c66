import { notFound } from "../../lib/platform/http/problems.ts";
import { getTenant } from "../../lib/tenancy/tenant/store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getTenant, async ({ db, ctx }) => {
  const tenant = await getTenant(db, ctx.tenant.id);
  if (!tenant) throw notFound("tenant", ctx.tenant.id);
  return tenant;
});
