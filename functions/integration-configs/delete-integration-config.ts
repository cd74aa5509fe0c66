import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deleteIntegrationConfig as remove } from "../../lib/integration-config/delete-integration-config.ts";
import { deleteIntegrationConfig } from "./routes.ts";

export const handler = endpoint(deleteIntegrationConfig, database, async ({ ctx, params }, db) => {
  await remove(db, ctx.tenant.id, params.config);
  return undefined;
});
