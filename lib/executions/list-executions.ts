import { getAgent } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../platform/http/paging.ts";
import type { ExecutionItem } from "./items.ts";
import { type ExecutionSelection, listExecutionsNewestFirst } from "./store.ts";

/** Lists the selected executions of an agent, newest first; undefined when it does not exist. */
export const listExecutions = async (
  db: Database,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
  selection: ExecutionSelection,
  page: PageRequest,
): Promise<Page<ExecutionItem> | undefined> => {
  const list = (shardCount: number) =>
    listExecutionsNewestFirst(db, { tenantId, agentId, shardCount }, selection, page);
  const [agent, inOwnPartition] = await Promise.all([getAgent(db, tenantId, agentId), list(1)]);
  const spread = agent?.executionShards.at(-1);
  return spread ? list(spread.count) : agent && inOwnPartition;
};
