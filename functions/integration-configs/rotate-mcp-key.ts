import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { rotateMcpKey } from "../../lib/integration-config/rotate-mcp-key.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rows.rotateMcpKey, async ({ ctx, params }) =>
  toIntegrationConfig(
    await rotateMcpKey({ ctx, input: { configId: params.config }, deps: deps() }),
  ),
);
