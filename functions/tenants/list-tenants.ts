import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { listTenants } from "../../lib/tenant/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTenants, ({ ctx }) =>
  listTenants(database(), ctx.principal.organizationId),
);
