import { getItems } from "../platform/db/get-items.ts";
import { listSubExecutions } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { ListedExecution } from "./items.ts";
import type { Job } from "./job.ts";
import { executionKey } from "./keys.ts";
import { addTreeCosts, noTreeCost, readTreeCost, type TreeCost } from "./tree-cost.ts";

/**
 * Returns what the sub-agents of an execution cost with those below them. The run knows those that ended in
 * it; storage is read only for what earlier runs started, and only if the flow has sub-agents.
 * @param known cost by execution id
 */
export const sumSubAgents = async (
  { db }: Pick<ExecutionDeps, "db">,
  { tenantId, item, revision }: Pick<Job, "tenantId" | "item" | "revision">,
  known: ReadonlyMap<string, TreeCost>,
  hasEarlierRuns: boolean,
): Promise<TreeCost> => {
  const inThisRun = known.values().reduce(addTreeCosts, noTreeCost);
  if (!hasEarlierRuns || revision.flow.agentIds.length === 0) return inThisRun;
  const children = await listSubExecutions(db, tenantId, item.id);
  const keys = children
    .filter(({ executionId }) => !known.has(executionId))
    .map((child) => executionKey({ tenantId, ...child }));
  const others = await getItems(db, keys, ListedExecution);
  return others.reduce(
    (sum, other) => (other ? addTreeCosts(sum, readTreeCost(other)) : sum),
    inThisRun,
  );
};
