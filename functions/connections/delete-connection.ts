import { deleteConnection } from "../../lib/integrations/connection/delete-connection.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteConnection, async ({ db, ctx, params }) => {
  const input = { tenantId: ctx.tenant.id, connectionId: params.connection };
  await deleteConnection(connectionDeps(db), input);
  return undefined;
});
