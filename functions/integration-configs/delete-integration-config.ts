import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteIntegrationConfig } from "../../lib/integration-config/delete-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteIntegrationConfig, async ({ ctx, params }) => {
  await deleteIntegrationConfig({ ctx, input: { configId: params.config }, deps: deps() });
  return undefined;
});
