import type { Database } from "../../platform/db/database.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { KeyContext } from "../../tenancy/api-key/audit-event.ts";
import { rotateApiKey } from "../../tenancy/api-key/rotate-api-key.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsPublished, authorizeOffer } from "./authorize-offer.ts";
import { checkSameExposure, getIntegrationConfig } from "./store.ts";
import type { ShownConfig } from "./to-integration-config.ts";

/**
 * Replaces the secret of a config's dedicated key; the old secret stops working immediately. Throws 404, 403 when
 * the caller lacks the key's scope or may not run the config's agents, and 409 for a config that does not expose
 * MCP, a revoked key or a concurrent change.
 */
export const rotateMcpKey = async (
  deps: { db: Database; prefix: string; send: Send },
  { ctx, configId }: { ctx: KeyContext & Pick<TenantContext, "tenant">; configId: string },
): Promise<ShownConfig> => {
  const config = await getIntegrationConfig(deps.db, ctx.tenant.id, configId);
  if (!config) throw notFound("integration config", configId);
  if (config.mcpKeyId === undefined) {
    throw conflict("The config does not expose MCP, so it has no key. Set exposeMcp first.");
  }
  await authorizeOffer(deps.db, ctx, await agentsPublished(deps.db, ctx, config));
  const conditions = [checkSameExposure(ctx.tenant.id, config)];
  const input = { keyId: config.mcpKeyId, body: { graceSeconds: 0 }, conditions };
  const { key } = await rotateApiKey(deps, { ctx, ...input });
  return { ...config, mcpSecret: key };
};
