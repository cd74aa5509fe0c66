import { readPublishedConfig } from "../../integrations/config/read-published-config.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type Calling, createProviderFetch } from "../../platform/outgoing/provider-fetch.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { Registrar, RegistrationTarget } from "../../vendors/registrar.ts";
import { findRegistrar } from "../../vendors/registry/find-registrar.ts";

/** Dependencies of registering listeners. */
export type RegistrationDeps = Calling & {
  db: Database;
  sealer: Sealer;
  randomBytes: Runtime["randomBytes"];
  /** Public base URL of the API, which wins over that of the webhook's creation. */
  publicUrl?: string | undefined;
};

/** Location of a listener. */
export type ListenerKey = {
  provider: string;
  configId: string;
  externalContext: string | null;
};

/**
 * Returns the registrar of a listener's location and its target; undefined when the provider has none or the
 * config is not published.
 * @param input `until`: deadline of all calls, Unix milliseconds
 */
export const reach = async (
  deps: RegistrationDeps,
  {
    tenantId,
    place: { provider, configId, externalContext },
    until,
  }: { tenantId: TenantId; place: ListenerKey; until: number },
): Promise<{ registrar: Registrar; target: RegistrationTarget } | undefined> => {
  const registrar = findRegistrar(provider);
  if (!registrar) return undefined;
  const config = await readPublishedConfig(deps, { tenantId, configId });
  if (config?.integrationId !== provider) return undefined;
  return {
    registrar,
    target: { config, externalContext, fetch: createProviderFetch(deps, until) },
  };
};
