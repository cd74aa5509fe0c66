import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { rotateMcpKey as rotate } from "../../lib/integration-config/rotate-mcp-key.ts";
import { toIntegrationConfig } from "../../lib/integration-config/to-integration-config.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import { rotateMcpKey } from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rotateMcpKey, deps, async ({ ctx, params }, deps) =>
  toIntegrationConfig(await rotate({ ctx, input: { configId: params.config }, deps })),
);
