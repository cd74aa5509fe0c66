import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { sumMeasures } from "./measures.ts";
import type { ModelUsageEntry, RevisionCost } from "./schemas.ts";
import { readAgentUsage, type UsageCounter } from "./store.ts";

/** The usage of executions: their number and failures, and the measures of each model. */
export type Usage = Pick<UsageCounter, "executions" | "models">;

type Created = { createdAt: number };

/** Storage of usage, and the readers of an agent and a revision, which usage is counted since. */
type UsageDeps = {
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

/** Sums the usage of a revision, or of all revisions (0), to its cost. */
export const toRevisionCost = (
  agentId: string,
  revision: number,
  usages: readonly Usage[],
): RevisionCost => {
  const { inputCost, outputCost, totalCost, inputTokens, outputTokens } = sumMeasures(
    usages.flatMap(({ models }) => models),
  );
  const { executionCount, unpricedCount } = sumMeasures(usages.map(({ executions }) => executions));
  const costs = { inputCost, outputCost, totalCost };
  return { agentId, revision, ...costs, executionCount, unpricedCount, inputTokens, outputTokens };
};

/** Sums the usage to one entry per provider and model, by cost descending, then by name. */
export const toModelUsages = (revision: number, usages: readonly Usage[]): ModelUsageEntry[] => {
  const byModel = Map.groupBy(
    usages.flatMap(({ models }) => models),
    ({ providerId, modelId }) => JSON.stringify([providerId, modelId]),
  );
  return [...byModel.values()]
    .map((calls) => {
      const { failedCount: _f, cachedCost: _c, thinkingCost: _t, ...sums } = sumMeasures(calls);
      const { providerId = "", modelId = "" } = calls[0] ?? {};
      return { revision, modelId, providerId, ...sums };
    })
    .toSorted(
      (one, other) =>
        other.totalCost - one.totalCost ||
        `${one.providerId}/${one.modelId}`.localeCompare(`${other.providerId}/${other.modelId}`),
    );
};
