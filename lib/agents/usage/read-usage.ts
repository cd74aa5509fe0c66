import type { Database } from "../../platform/db/database.ts";
import { dayOf } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { getAgent } from "../agent/store.ts";
import { getRevisionItem } from "../revision/store.ts";
import { sumMeasures } from "./measures.ts";
import { readAtOnce } from "./read-at-once.ts";
import { type EarlierCounter, listEarlierUsage, listUsage, type UsageCounter } from "./store.ts";

const noExecutions = { executionCount: 0, failedCount: 0 };

/** The usage of executions: their number and failures, and the measures of each model. */
export type Usage = Pick<UsageCounter, "executions" | "models">;

/**
 * Reads the usage of a revision, or of all (`*`), in parts whose sum it is. Throws 404 for an agent or revision that
 * does not exist.
 * @param now Unix milliseconds
 */
export const readUsage = async (
  db: Database,
  tenantId: TenantId,
  { agentId, revision }: { agentId: string; revision: number | "*" },
  now: number,
): Promise<Usage[]> => {
  const [agent, item, earlier] = await Promise.all([
    getAgent(db, tenantId, agentId),
    revision === "*" ? undefined : getRevisionItem(db, tenantId, agentId, revision),
    readEarlier(db, tenantId, agentId, revision),
  ]);
  if (!agent) throw notFound("agent", agentId);
  if (revision !== "*" && !item) throw notFound("revision", `${agentId}/${revision}`);
  const since = item?.createdAt ?? agent.createdAt;
  let undated = earlier;
  for (let attempt = 1; ; attempt += 1) {
    const counters = await readAgentUsage(db, tenantId, agentId, { since, now });
    // A migration moves counts from these counters to the others.
    const before = undated;
    if (before.length > 0) undated = await readEarlier(db, tenantId, agentId, revision);
    if (attempt === maxReads || stateOf(undated) === stateOf(before)) {
      return [
        ...before.map(toUsage),
        ...counters.filter((counter) => revision === "*" || counter.revision === revision),
      ];
    }
  }
};

/** Reads until a migration that runs meanwhile leaves one alone. */
const maxReads = 20;

/** Every writer of a counter changes one of these. */
const stateOf = (counters: readonly EarlierCounter[]): string =>
  JSON.stringify(counters.map(({ sk, executionCount, moves }) => [sk, executionCount, moves]));

/** Reads the counters of an existing agent's executions that started from the day of `since` on. */
export const readAgentUsage = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { since, now }: { since: number; now: number },
): Promise<UsageCounter[]> => {
  const counters: UsageCounter[] = [];
  const days = { from: dayOf(since), to: dayOf(now), agentId };
  await readAtOnce(listUsage(db, tenantId, days), (counter) => {
    if (!counter.isOfDeleted) counters.push(counter);
  });
  return counters;
};

/** Reads the counters of versions without counters by day. */
const readEarlier = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  revision: number | "*",
): Promise<EarlierCounter[]> => Array.fromAsync(listEarlierUsage(db, tenantId, agentId, revision));

/** Counters of whole executions repeat the sum of the models. */
const toUsage = ({ providerId, modelId, ...counts }: EarlierCounter): Usage => {
  const measures = sumMeasures([counts]);
  return providerId === undefined || modelId === undefined
    ? { executions: { executionCount: counts.executionCount, failedCount: 0 }, models: [] }
    : { executions: noExecutions, models: [{ providerId, modelId, ...measures }] };
};
