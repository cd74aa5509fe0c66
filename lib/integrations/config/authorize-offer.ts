import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { getApiKey } from "../../tenancy/api-key/store.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { McpOffer } from "./mcp-offer.ts";
import {
  checkSameExposure,
  getIntegrationConfig,
  getIntegrationRevision,
  type IntegrationConfigItem,
} from "./store.ts";
import { readContent } from "./to-integration-config.ts";

/** Caller that lets a config's dedicated key run agents. */
export type Offerer = { principal: Principal; tenant: TenantOwner };

/** Returns the ids of the agents that a config's content offers over MCP. */
export const agentsOffered = (kept: Pick<IntegrationConfigItem, "content">): readonly string[] =>
  McpOffer.catch({}).parse(readContent(kept).parameters).agents ?? [];

/** Returns the ids of the agents that a config's published revision offers; none without a published revision. */
export const agentsPublished = async (
  db: Database,
  { tenant }: Offerer,
  { id, publishedRevision }: Pick<IntegrationConfigItem, "id" | "publishedRevision">,
): Promise<readonly string[]> => {
  if (publishedRevision === null) return [];
  const revision = await getIntegrationRevision(db, tenant.id, id, publishedRevision);
  return revision ? agentsOffered(revision) : [];
};

/**
 * Throws 403 unless the caller may run the offered agents, because anyone with the config's dedicated key can.
 * Agents that the config offers already are not checked.
 */
export const authorizeOffer = (
  db: Database,
  { principal, tenant }: Offerer,
  offered: readonly string[],
  already: readonly string[] = [],
): Promise<void> =>
  authorizeEffect(
    db,
    { principal, tenantId: tenant.id },
    effects.run,
    offered.filter((agentId) => !already.includes(agentId)),
  );

/**
 * Throws 403 unless the caller may run every agent that the key can, if it is the dedicated key of a config. Returns
 * the conditions on which a secret of the key may be shown to the caller.
 */
export const authorizeDedicatedKey = async (
  db: Database,
  { principal, tenant }: Offerer,
  keyId: string,
): Promise<TransactionWrite[]> => {
  const key = await getApiKey(db, principal.organizationId, keyId);
  if (key?.mcpConfigId === undefined) return [];
  const { mcpConfigId, mcpTenantId } = key;
  const caller = { principal, tenant: { ...tenant, id: mcpTenantId ?? tenant.id } };
  const config = await getIntegrationConfig(db, caller.tenant.id, mcpConfigId);
  if (!config) return [];
  await authorizeOffer(db, caller, await agentsPublished(db, caller, config));
  return [checkSameExposure(caller.tenant.id, config)];
};
