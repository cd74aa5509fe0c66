import { database } from "../../lib/db/database.ts";
import { organizationEndpoint } from "../../lib/http/endpoint.ts";
import { createTenant as create } from "../../lib/tenant/create-tenant.ts";
import { createTenant } from "./routes.ts";

export const handler = organizationEndpoint(createTenant, database, ({ ctx, body }, db) =>
  create({ ctx, input: body, deps: { db } }),
);
