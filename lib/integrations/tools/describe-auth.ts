import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { IntegrationTool } from "../catalog/schemas.ts";
import { readPublishedConfig } from "../config/read-published-config.ts";
import { chooseOwner, deriveConnectionId, findCaller } from "../connection/connection-owner.ts";
import { findStatus } from "../connection/find-status.ts";
import { getConnection } from "../connection/store.ts";
import type { FindToolsDeps } from "./find-tools.ts";

/** Describes how calls of a config's tools are authorized, with the connection that those of the caller use. */
export const describeAuth = async (
  { storage }: Pick<FindToolsDeps, "storage">,
  {
    ctx: { tenant, principal, clock },
    integrationId,
    configId,
  }: {
    ctx: Pick<TenantContext, "tenant" | "principal" | "clock">;
    integrationId: string;
    configId: string | undefined;
  },
): Promise<IntegrationTool["authSettings"]> => {
  const none = { supportsOAuth: false, oAuth: [] };
  if (configId === undefined || integrationId === "system") return none;
  const tenantId = tenant.id;
  const config = await readPublishedConfig(storage, { tenantId, configId });
  if (!config?.oauth) return none;
  const owner = chooseOwner(config.oauth.owner, await findCaller(principal)());
  const id = owner && deriveConnectionId(configId, owner);
  const item = id === undefined ? undefined : await getConnection(storage.db, tenantId, id);
  const scopes = item && item.scopes.length > 0 ? item.scopes : [...config.oauth.scopes];
  const connectionStatus = item ? findStatus(item, config.oauth, clock()) : null;
  return { supportsOAuth: true, oAuth: [{ connectionStatus, scopes }] };
};
