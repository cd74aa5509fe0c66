import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createTenant } from "../../lib/tenant/create-tenant.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createTenant, ({ ctx, body }) =>
  createTenant({ ctx, input: body, deps: { db: database() } }),
);
