import type { Database } from "../db/database.ts";
import type { TenantContext } from "../edge/context.ts";
import { notFound } from "../http/problems.ts";
import { getIntegrationConfig, type IntegrationConfigItem, putPublishedRevision } from "./store.ts";

/** Puts a revision of a config to use, the latest one when none is named. Throws 404. */
export const publishIntegrationConfig = async ({
  ctx,
  input: { configId, revision },
  deps: { db },
}: {
  ctx: Pick<TenantContext, "clock" | "tenant">;
  input: { configId: string; revision: number | undefined };
  deps: { db: Database };
}): Promise<IntegrationConfigItem> => {
  const tenantId = ctx.tenant.id;
  const config = await getIntegrationConfig(db, tenantId, configId);
  if (!config) throw notFound("integration config", configId);
  const publishedRevision = revision ?? config.latestRevision;
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
