import { deleteConnector } from "../../lib/connector/delete-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteConnector, async ({ ctx, params }) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  await deleteConnector(ctx.tenant.id, place, deps());
  return undefined;
});
