import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsPublished, authorizeOffer } from "./authorize-offer.ts";
import { getIntegrationConfig, type IntegrationConfigItem, putPublishedRevision } from "./store.ts";

/**
 * Publishes a revision of a config, by default the latest. Throws 404, and 403 when the caller may not run the
 * agents that the config newly offers over MCP.
 */
export const publishIntegrationConfig = async ({
  ctx,
  input: { configId, revision },
  deps: { db },
}: {
  ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
  input: { configId: string; revision: number | undefined };
  deps: { db: Database };
}): Promise<IntegrationConfigItem> => {
  const tenantId = ctx.tenant.id;
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
    case "no config":
      throw notFound("integration config", configId);
    case "no revision":
      throw notFound("revision", `${configId}/${publishedRevision}`);
  }
};
