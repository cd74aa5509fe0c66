import { database } from "../../lib/db/database.ts";
import { cutPage } from "../../lib/http/cut-page.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listIntegrationConfigs as list } from "../../lib/integration-config/store.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { listIntegrationConfigs } from "./routes.ts";

export const handler = endpoint(listIntegrationConfigs, database, async ({ ctx, query }, db) => {
  const request = toPageRequest(query);
  return cutPage(mapPage(await list(db, ctx.tenant.id, request), toIntegrationConfig), request);
});
