import { getAgents } from "../../lib/agents/agent/store.ts";
import { toIntegrationConfig } from "../../lib/integrations/config/to-integration-config.ts";
import { updateIntegrationConfig } from "../../lib/integrations/config/update-integration-config.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  prefix: keySettings().prefix,
  send,
  findAgents: async (tenantId: TenantId, ids: readonly string[]) =>
    (await getAgents(db, tenantId, ids)).map(({ id }) => id),
});

export const handler = endpoint(rows.updateIntegrationConfig, async ({ db, ctx, params, body }) => {
  const input = { configId: params.config, body };
  return toIntegrationConfig(await updateIntegrationConfig(deps(db), { ctx, ...input }));
});
