import { requireAgent } from "../../lib/chat/connector/require-connector.ts";
import { listConnectors } from "../../lib/chat/connector/store.ts";
import { toConnector } from "../../lib/chat/connector/to-connector.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listConnectors, async ({ db, ctx, params, query }) => {
  const tenantId = ctx.tenant.id;
  const agent = await requireAgent(db, tenantId, params.agent);
  const page = await listConnectors(db, tenantId, agent.id, toPageRequest(query));
  return mapPage(page, (item) => toConnector(ctx, item, agent));
});
