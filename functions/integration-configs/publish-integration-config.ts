import { publishIntegrationConfig } from "../../lib/integrations/config/publish-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(
  rows.publishIntegrationConfig,
  async ({ db, ctx, params, body }) => {
    const input = { configId: params.config, revision: body?.revision ?? undefined };
    return toIntegrationConfig(await publishIntegrationConfig(deps(db), { ctx, ...input }));
  },
);
