import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { updateIntegrationConfig } from "../../lib/integration-config/update-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  prefix: keySettings().prefix,
  send,
});

export const handler = endpoint(rows.updateIntegrationConfig, async ({ ctx, params, body }) => {
  const input = { configId: params.config, body };
  return toIntegrationConfig(await updateIntegrationConfig({ ctx, input, deps: deps() }));
});
