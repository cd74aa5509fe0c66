import type { AssetDeps } from "../../knowledge/asset/create-asset.ts";
import { database } from "../../platform/db/database.ts";
import { kmsSealer } from "../../platform/db/seal.ts";
import { outgoingSettings, sourceSettings } from "../../platform/runtime/env.ts";
import { checkAgent } from "./check-agent.ts";
import { createAllSources } from "./wharf.ts";

/** Creates the dependencies of creating and changing assets in a function. */
export const assetDeps = (): AssetDeps => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  sources: createAllSources(sourceSettings(), async () => [], {
    checkAgent: (...asset) => checkAgent(database(), ...asset),
  }),
});
