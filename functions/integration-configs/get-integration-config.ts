import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getIntegrationConfig } from "../../lib/integration-config/store.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getIntegrationConfig, async ({ ctx, params }) => {
  const config = await getIntegrationConfig(database(), ctx.tenant.id, params.config);
  if (!config) throw notFound("integration config", params.config);
  return toIntegrationConfig(config);
});
