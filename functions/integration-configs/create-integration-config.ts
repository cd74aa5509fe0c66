import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createIntegrationConfig } from "../../lib/integration-config/create-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  prefix: keySettings().prefix,
  send,
});

export const handler = endpoint(rows.createIntegrationConfig, async ({ ctx, body }) =>
  toIntegrationConfig(await createIntegrationConfig({ ctx, input: body, deps: deps() })),
);
