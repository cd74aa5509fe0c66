import type { ModelRegistry } from "../../engine/models/model.ts";
import type { ProviderSettings } from "../../engine/models/provider-settings.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { createRemoteProvider, type RemoteOptions } from "../../engine/models/remote-provider.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { openApiKey } from "./api-key-seal.ts";
import { getProvider, type ProviderItem } from "./store.ts";

/** Dependencies of finding and calling a tenant's providers. */
export type ProviderDeps = {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Settings of outgoing calls, such as `outgoingSettings()`. */
  readonly outgoing: RemoteOptions;
};

/**
 * The models of a tenant: its own providers and the built-in ones. A provider is read from the table each
 * time it is resolved, so a change of it, of its credentials as well, holds from the next step on.
 */
export const providerRegistry = ({
  tenantId,
  ...deps
}: ProviderDeps & { readonly tenantId: TenantId }): ModelRegistry => {
  const builtIn = createModelRegistry();
  return {
    resolve: async (providerId) => {
      const known = await builtIn.resolve(providerId);
      if (known) return known;
      const item = await getProvider(deps.db, tenantId, providerId);
      return item && connectProvider(item, tenantId, deps);
    },
    deploymentBedrock: () => createRemoteProvider(deploymentBedrock, deps.outgoing),
  };
};

/** Amazon Bedrock in the region of the functions, called by their role. */
const deploymentBedrock: ProviderSettings = {
  id: "bedrock",
  type: "bedrock",
  baseUrl: null,
  region: null,
  defaultModel: null,
  apiKey: null,
};

const connectProvider = async (
  item: ProviderItem,
  tenantId: TenantId,
  { sealer, outgoing }: ProviderDeps,
) => createRemoteProvider(await openProvider(sealer, tenantId, item), outgoing);

/** A provider's settings with its key, as its service is called with them. */
export const openProvider = async (
  sealer: Sealer,
  tenantId: TenantId,
  { apiKey, ...settings }: ProviderItem,
): Promise<ProviderSettings> => ({
  ...settings,
  apiKey: apiKey && (await openApiKey(sealer, tenantId, settings.id, apiKey)),
});
