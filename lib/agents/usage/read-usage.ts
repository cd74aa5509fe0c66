import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { getAgent } from "../agent/store.ts";
import { getRevisionItem } from "../revision/store.ts";
import { listUsage, type UsageCounter } from "./store.ts";

/**
 * Reads the usage counters of a revision, or of all (`*`). Throws 404 for an agent or revision that does not
 * exist.
 */
export const readUsage = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  revision: number | "*",
): Promise<UsageCounter[]> => {
  const [agent, item, counters] = await Promise.all([
    getAgent(db, tenantId, agentId),
    revision === "*" ? undefined : getRevisionItem(db, tenantId, agentId, revision),
    listUsage(db, tenantId, agentId, revision),
  ]);
  if (!agent) throw notFound("agent", agentId);
  if (revision !== "*" && !item) throw notFound("revision", `${agentId}/${revision}`);
  return counters;
};
