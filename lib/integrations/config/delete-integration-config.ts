import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { keyChanged } from "../../tenancy/api-key/key-rules.ts";
import type { AuditContext } from "../../tenancy/audit/describe-call.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { PurgeConnectionsMessage } from "../messages.ts";
import { keepKey, publishKeyChange, revokeKey } from "./dedicated-key.ts";
import {
  getIntegrationConfig,
  removeIntegrationConfig,
  removeIntegrationRevisions,
} from "./store.ts";

/** The message comes after the deletion of the config, on which its consumer insists. */
const purgeSeconds = 60;

/**
 * Deletes a config with its revisions and credentials, and revokes its dedicated key. The config is deleted
 * first; repeating an interrupted call deletes the rest. Throws 404, and 409 after repeated concurrent changes.
 */
export const deleteIntegrationConfig = async (
  deps: { db: Database; send: Send },
  { ctx, configId }: { ctx: AuditContext & Pick<TenantContext, "tenant">; configId: string },
): Promise<void> => {
  const tenantId = ctx.tenant.id;
  // Before the config is deleted: an interrupted call leaves no connection behind.
  const message: PurgeConnectionsMessage = { type: "purge-connections", tenantId, configId };
  await deps.send("housekeeping", tenantId, message, purgeSeconds);
  const existed = await removeConfig(deps, ctx, configId);
  const removed = await removeIntegrationRevisions(deps.db, ctx.tenant.id, configId);
  if (!existed && removed === 0) throw notFound("integration config", configId);
};

const removeConfig = async (
  { db, send }: { db: Database; send: Send },
  ctx: AuditContext & Pick<TenantContext, "tenant">,
  configId: string,
): Promise<boolean> => {
  return retryOnConflict({ error: keyChanged }, async (attempt) => {
    const config = await getIntegrationConfig(db, ctx.tenant.id, configId);
    if (!config) return attempt > 0;
    const { mcpKeyId } = config;
    const change = mcpKeyId ? await revokeKey(db, ctx, mcpKeyId) : keepKey(undefined);
    const outcome = await removeIntegrationConfig(db, ctx.tenant.id, config, change.more);
    if (outcome === "changed") return outcome;
    await publishKeyChange(send, change);
    return true;
  });
};
