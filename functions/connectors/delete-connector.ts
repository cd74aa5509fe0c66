import { deleteConnector as remove } from "../../lib/connector/delete-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deleteConnector } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(deleteConnector, deps, async ({ ctx, params }, deps) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  await remove(ctx.tenant.id, place, deps);
  return undefined;
});
