import { listIntegrationConfigs } from "../../lib/integrations/config/store.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import { cutPage } from "../../lib/platform/http/cut-page.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listIntegrationConfigs, async ({ db, ctx, query }) => {
  const request = toPageRequest(query);
  return cutPage(
    mapPage(await listIntegrationConfigs(db, ctx.tenant.id, request), toIntegrationConfig),
    request,
  );
});
