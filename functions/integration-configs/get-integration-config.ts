import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getIntegrationConfig as get } from "../../lib/integration-config/store.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { getIntegrationConfig } from "./routes.ts";

export const handler = endpoint(getIntegrationConfig, database, async ({ ctx, params }, db) => {
  const config = await get(db, ctx.tenant.id, params.config);
  if (!config) throw notFound("integration config", params.config);
  return toIntegrationConfig(config);
});
