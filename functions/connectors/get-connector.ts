import { requireConnector } from "../../lib/connector/require-connector.ts";
import { toConnector } from "../../lib/connector/to-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getConnector, async ({ ctx, params }) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  const { agent, connector } = await requireConnector(database(), ctx.tenant.id, place);
  return toConnector(ctx.tenant.id, connector, agent);
});
