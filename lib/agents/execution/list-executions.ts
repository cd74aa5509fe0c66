import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { getAgent } from "../agent/store.ts";
import type { ExecutionItem } from "./items.ts";
import { listExecutionsNewestFirst, type TimeSpan } from "./store.ts";

/** Lists the executions of an agent that started in a range, newest first; undefined when it does not exist. */
export const listExecutions = async (
  db: Database,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
  span: TimeSpan,
  page: PageRequest,
  matches?: (item: ExecutionItem) => boolean,
): Promise<Page<ExecutionItem> | undefined> => {
  const list = (shardCount: number) =>
    listExecutionsNewestFirst(db, { tenantId, agentId, shardCount }, span, page, matches);
  const [agent, inOwnPartition] = await Promise.all([getAgent(db, tenantId, agentId), list(1)]);
  const spread = agent?.executionShards.at(-1);
  return spread ? list(spread.count) : agent && inOwnPartition;
};
