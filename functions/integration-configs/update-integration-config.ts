import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { updateIntegrationConfig as update } from "../../lib/integration-config/update-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import { updateIntegrationConfig } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  prefix: keySettings().prefix,
  send,
});

export const handler = endpoint(
  updateIntegrationConfig,
  deps,
  async ({ ctx, params, body }, deps) => {
    const input = { configId: params.config, body };
    return toIntegrationConfig(await update({ ctx, input, deps }));
  },
);
