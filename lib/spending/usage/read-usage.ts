import type { Database } from "../../platform/db/database.ts";
import { toDay } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { listUsage, type UsageCounter } from "./store.ts";

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
 * @param now Unix milliseconds
 */
export const readUsage = async (
  { db, getAgent, getRevision }: UsageDeps,
  tenantId: TenantId,
  { agentId, revision }: { agentId: string; revision: number | "*" },
  now: number,
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

/** Reads the counters of an existing agent's executions that started from the day of `since` on. */
export const readAgentUsage = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { since, now }: { since: number; now: number },
): Promise<UsageCounter[]> => {
  const counters: UsageCounter[] = [];
  const days = { from: toDay(since), to: toDay(now), agentId };
  await readAtOnce(listUsage(db, tenantId, days), (counter) => {
    if (!counter.isOfDeleted) counters.push(counter);
  });
  return counters;
};

const atOnce = 16;

/** Reads lists to their ends, at most 16 at a time, and visits every item. A visitor that throws ends it. */
export const readAtOnce = async <Item>(
  lists: readonly AsyncIterable<Item>[],
  visit: (item: Item) => void,
): Promise<void> => {
  const rest = lists.values();
  const readNext = async (): Promise<void> => {
    for (const list of rest) for await (const item of list) visit(item);
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
};
