import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { cutPage } from "../../lib/http/cut-page.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listIntegrationConfigs } from "../../lib/integration-config/store.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listIntegrationConfigs, async ({ ctx, query }) => {
  const request = toPageRequest(query);
  return cutPage(
    mapPage(await listIntegrationConfigs(database(), ctx.tenant.id, request), toIntegrationConfig),
    request,
  );
});
