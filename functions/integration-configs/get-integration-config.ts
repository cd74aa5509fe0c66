import { getIntegrationConfig } from "../../lib/integrations/config/store.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getIntegrationConfig, async ({ db, ctx, params }) => {
  const config = await getIntegrationConfig(db, ctx.tenant.id, params.config);
  if (!config) throw notFound("integration config", params.config);
  return toIntegrationConfig(config);
});
