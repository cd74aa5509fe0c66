import {
  requireConnection,
  showConnection,
} from "../../lib/integrations/connection/show-connection.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getConnection, async ({ db, ctx, params }) => {
  const deps = connectionDeps(db);
  const input = { tenantId: ctx.tenant.id, connectionId: params.connection };
  return showConnection(deps, { ctx, item: await requireConnection(deps, input) });
});
