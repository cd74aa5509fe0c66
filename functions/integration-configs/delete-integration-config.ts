import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deleteIntegrationConfig as remove } from "../../lib/integration-config/delete-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { deleteIntegrationConfig } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(deleteIntegrationConfig, deps, async ({ ctx, params }, deps) => {
  await remove({ ctx, input: { configId: params.config }, deps });
  return undefined;
});
