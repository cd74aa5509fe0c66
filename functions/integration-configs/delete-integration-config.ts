import { deleteIntegrationConfig } from "../../lib/integrations/config/delete-integration-config.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteIntegrationConfig, async ({ db, ctx, params }) => {
  await deleteIntegrationConfig(deps(db), { ctx, configId: params.config });
  return undefined;
});
