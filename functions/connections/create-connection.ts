import { createConnection } from "../../lib/integrations/connection/create-connection.ts";
import { showConnection } from "../../lib/integrations/connection/show-connection.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createConnection, async ({ db, ctx, body }) => {
  const deps = connectionDeps(db);
  return showConnection(deps, { ctx, item: await createConnection(deps, { ctx, body }) });
});
