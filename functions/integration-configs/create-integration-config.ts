import { endpoint } from "../../lib/edge/endpoint.ts";
import { createIntegrationConfig } from "../../lib/integrations/config/create-integration-config.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings } from "../../lib/platform/runtime/env.ts";
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
