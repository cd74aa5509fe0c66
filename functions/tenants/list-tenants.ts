import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { listTenants } from "../../lib/tenancy/tenant/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTenants, ({ ctx }) =>
  listTenants(database(), ctx.principal.organizationId),
);
