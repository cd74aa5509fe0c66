import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsPublished, authorizeOffer } from "./authorize-offer.ts";
import { changeRetries } from "./change-retries.ts";
import { getIntegrationConfig, type IntegrationConfigItem, putPublishedRevision } from "./store.ts";

/**
 * Publishes a revision of a config, by default the latest. Throws 404, 403 when the caller may not run the agents
 * that the config newly offers over MCP, and 409 after repeated concurrent changes.
 */
export const publishIntegrationConfig = async (
  { db }: { db: Database },
  {
    ctx,
    configId,
    revision,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    configId: string;
    revision: number | undefined;
  },
): Promise<IntegrationConfigItem> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict(changeRetries, async () => {
    const config = await getIntegrationConfig(db, tenantId, configId);
    if (!config) throw notFound("integration config", configId);
    const publishedRevision = revision ?? config.latestRevision;
    if (config.mcpKeyId !== undefined) {
      const offered = await agentsPublished(db, ctx, { ...config, publishedRevision });
      await authorizeOffer(db, ctx, offered, await agentsPublished(db, ctx, config));
    }
    const modifiedAt = ctx.clock();
    const change = { revision: publishedRevision, now: modifiedAt };
    switch (await putPublishedRevision(db, tenantId, config, change)) {
      case "written":
        return { ...config, publishedRevision, modifiedAt };
      case "changed":
        return "changed";
      case "no revision":
        throw notFound("revision", `${configId}/${publishedRevision}`);
    }
  });
};
