import { refreshNow } from "../../lib/integrations/connection/refresh-now.ts";
import { showConnection } from "../../lib/integrations/connection/show-connection.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

/** Reserved for sending the response. */
const responseMs = 1_500;

export const handler = endpoint(rows.refreshConnection, async ({ db, ctx, params }) => {
  const deps = connectionDeps(db);
  const signal = AbortSignal.timeout(Math.max(0, ctx.respondBy - responseMs - ctx.clock()));
  const input = { tenantId: ctx.tenant.id, connectionId: params.connection, signal };
  return showConnection(deps, { ctx, item: await refreshNow(deps, input) });
});
