import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { createTenant } from "../../lib/tenancy/tenant/create-tenant.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createTenant, ({ ctx, body }) =>
  createTenant({ db: database() }, { ctx, body }),
);
