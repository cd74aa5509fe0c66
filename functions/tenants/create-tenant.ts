import { endpoint } from "../../lib/edge/endpoint.ts";
import { createTenant } from "../../lib/tenancy/tenant/create-tenant.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createTenant, ({ db, ctx, body }) =>
  createTenant({ db }, { ctx, body }),
);
