import { listTenants } from "../../lib/tenancy/tenant/store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTenants, ({ db, ctx }) =>
  listTenants(db, ctx.principal.organizationId),
);
