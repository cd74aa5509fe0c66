import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteIntegrationConfig } from "../../lib/integrations/config/delete-integration-config.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteIntegrationConfig, async ({ ctx, params }) => {
  await deleteIntegrationConfig(deps(), { ctx, configId: params.config });
  return undefined;
});
