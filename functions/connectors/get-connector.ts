import { requireConnector } from "../../lib/chat/connector/require-connector.ts";
import { toConnector } from "../../lib/chat/connector/to-connector.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getConnector, async ({ db, ctx, params }) => {
  const place = { agentId: params.agent, connectorId: params.connector };
  const { agent, connector } = await requireConnector(db, ctx.tenant.id, place);
  return toConnector(ctx, connector, agent);
});
