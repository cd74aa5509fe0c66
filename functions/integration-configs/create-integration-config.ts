import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createIntegrationConfig as create } from "../../lib/integration-config/create-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import { createIntegrationConfig } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  prefix: keySettings().prefix,
  send,
});

export const handler = endpoint(createIntegrationConfig, deps, async ({ ctx, body }, deps) =>
  toIntegrationConfig(await create({ ctx, input: body, deps })),
);
