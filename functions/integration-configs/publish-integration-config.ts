import { endpoint } from "../../lib/edge/endpoint.ts";
import { publishIntegrationConfig } from "../../lib/integrations/config/publish-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.publishIntegrationConfig, async ({ ctx, params, body }) => {
  const input = { configId: params.config, revision: body?.revision ?? undefined };
  return toIntegrationConfig(await publishIntegrationConfig(deps(), { ctx, ...input }));
});
