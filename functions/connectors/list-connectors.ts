import { requireAgent } from "../../lib/connector/require-connector.ts";
import { listConnectors as readConnectors } from "../../lib/connector/store.ts";
import { toConnector } from "../../lib/connector/to-connector.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listConnectors } from "./routes.ts";

export const handler = endpoint(listConnectors, database, async ({ ctx, params, query }, db) => {
  const tenantId = ctx.tenant.id;
  const agent = await requireAgent(db, tenantId, params.agent);
  const page = await readConnectors(db, tenantId, agent.id, toPageRequest(query));
  return mapPage(page, (item) => toConnector(tenantId, item, agent));
});
