import { checkAgent } from "../../lib/agents/revision/check-agent.ts";
import type { AssetDeps } from "../../lib/knowledge/asset/create-asset.ts";
import { createAllSources } from "../../lib/knowledge/estimate/wharf.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { sourceSettings } from "../../lib/vendors/registry/source-settings.ts";

/** Creates the dependencies of creating and changing assets in a function. */
export const assetDeps = (db: Database): AssetDeps => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  sources: createAllSources(sourceSettings(), async () => [], {
    checkAgent: (...asset) => checkAgent(db, ...asset),
  }),
});
