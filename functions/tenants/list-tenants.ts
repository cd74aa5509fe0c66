import { database } from "../../lib/db/database.ts";
import { organizationEndpoint } from "../../lib/http/endpoint.ts";
import { listTenants as readTenants } from "../../lib/tenant/store.ts";
import { listTenants } from "./routes.ts";

export const handler = organizationEndpoint(listTenants, database, ({ ctx }, db) =>
  readTenants(db, ctx.principal.organizationId),
);
