import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { publishIntegrationConfig } from "../../lib/integration-config/publish-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.publishIntegrationConfig, async ({ ctx, params, body }) => {
  const input = { configId: params.config, revision: body?.revision ?? undefined };
  return toIntegrationConfig(await publishIntegrationConfig({ ctx, input, deps: deps() }));
});
