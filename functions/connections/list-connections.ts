import { listShownConnections } from "../../lib/integrations/connection/show-connection.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listConnections, ({ db, ctx, query }) => {
  const { integrationConfigId: configId, endUserId } = query;
  const filter = { configId, endUserId };
  const page = toPageRequest(query);
  return listShownConnections({ db }, { tenantId: ctx.tenant.id, filter, page });
});
