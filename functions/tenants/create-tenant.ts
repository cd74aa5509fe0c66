import { createTenant } from "../../lib/tenancy/tenant/create-tenant.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createTenant, ({ db, ctx, body }) =>
  createTenant({ db }, { ctx, body }),
);
