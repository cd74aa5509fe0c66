import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { readAgentUsage, type UsageCounter } from "./store.ts";

/** The usage of executions: their number and failures, and the measures of each model. */
export type Usage = Pick<UsageCounter, "executions" | "models">;

type Created = { createdAt: number };

/** Storage of usage, and the readers of an agent and a revision, which usage is counted since. */
export type UsageDeps = {
  db: Database;
  getAgent: (db: Database, tenantId: TenantId, agentId: string) => Promise<Created | undefined>;
  getRevision: (
    db: Database,
    tenantId: TenantId,
    agentId: string,
    revision: number,
  ) => Promise<Created | undefined>;
};

/**
 * Reads the usage of a revision, or of all (`*`), in parts that add up to it. Throws 404 for an agent or revision that
 * does not exist.
 * @param input `now`: Unix milliseconds
 */
export const readUsage = async (
  { db, getAgent, getRevision }: UsageDeps,
  {
    tenantId,
    agentId,
    revision,
    now,
  }: { tenantId: TenantId; now: number; agentId: string; revision: number | "*" },
): Promise<Usage[]> => {
  const [agent, item] = await Promise.all([
    getAgent(db, tenantId, agentId),
    revision === "*" ? undefined : getRevision(db, tenantId, agentId, revision),
  ]);
  if (!agent) throw notFound("agent", agentId);
  if (revision !== "*" && !item) throw notFound("revision", `${agentId}/${revision}`);
  const since = item?.createdAt ?? agent.createdAt;
  const counters = await readAgentUsage(db, tenantId, agentId, { since, now });
  return counters.filter((counter) => revision === "*" || counter.revision === revision);
};
