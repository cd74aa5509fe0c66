import { getAgent } from "../../lib/agents/agent/store.ts";
import { loadAgentAssets } from "../../lib/agents/revision/load-agent-assets.ts";
import type { EstimateDeps } from "../../lib/knowledge/estimate/estimate-assets.ts";
import { loadTokenCounter } from "../../lib/knowledge/sources/token-counter.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { chunkSettings, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";
import { sourceSettings } from "../../lib/vendors/registry/source-settings.ts";

/** Creates the dependencies of estimates in a function. */
export const estimateDeps = (): EstimateDeps => ({
  db: database(),
  outgoing: outgoingSettings(),
  sleep: waitWithTimer,
  settings: sourceSettings(),
  chunking: chunkSettings(),
  loadTokenCounter,
  hasAgent: async (tenantId, agentId) =>
    (await getAgent(database(), tenantId, agentId)) !== undefined,
  loadAgentAssets: (tenantId, agentId, revision) =>
    loadAgentAssets({ db: database(), objects: objectStore() }, { tenantId, agentId, revision }),
});
