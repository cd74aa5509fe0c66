import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { publishIntegrationConfig as publish } from "../../lib/integration-config/publish-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { publishIntegrationConfig } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(
  publishIntegrationConfig,
  deps,
  async ({ ctx, params, body }, deps) => {
    const input = { configId: params.config, revision: body?.revision ?? undefined };
    return toIntegrationConfig(await publish({ ctx, input, deps }));
  },
);
