import { rotateMcpKey } from "../../lib/integrations/config/rotate-mcp-key.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, prefix: keySettings().prefix, send });

export const handler = endpoint(rows.rotateMcpKey, async ({ db, ctx, params }) =>
  toIntegrationConfig(await rotateMcpKey(deps(db), { ctx, configId: params.config })),
);
