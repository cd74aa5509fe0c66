import { requireAgent } from "../../lib/connector/require-connector.ts";
import { listConnectors } from "../../lib/connector/store.ts";
import { toConnector } from "../../lib/connector/to-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listConnectors, async ({ ctx, params, query }) => {
  const db = database();
  const tenantId = ctx.tenant.id;
  const agent = await requireAgent(db, tenantId, params.agent);
  const page = await listConnectors(db, tenantId, agent.id, toPageRequest(query));
  return mapPage(page, (item) => toConnector(tenantId, item, agent));
});
