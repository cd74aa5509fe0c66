import { deleteConnector } from "../../lib/chat/connector/delete-connector.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteConnector, async ({ db, ctx, params }) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  await deleteConnector(deps(db), { tenantId: ctx.tenant.id, ...place });
  return undefined;
});
