import { endpoint } from "../../lib/edge/endpoint.ts";
import { updateTenant } from "../../lib/tenancy/tenant/update-tenant.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateTenant, ({ db, ctx, body }) =>
  updateTenant({ db }, { ctx, body }),
);
