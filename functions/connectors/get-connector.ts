import { requireConnector } from "../../lib/connector/require-connector.ts";
import { toConnector } from "../../lib/connector/to-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { getConnector } from "./routes.ts";

export const handler = endpoint(getConnector, database, async ({ ctx, params }, db) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  const { agent, connector } = await requireConnector(db, ctx.tenant.id, place);
  return toConnector(ctx.tenant.id, connector, agent);
});
