import { getAgent } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../platform/http/paging.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import type { ExecutionItem } from "./items.ts";
import { type ExecutionSelection, listExecutionsNewestFirst } from "./store.ts";

/**
 * Lists the selected executions of an agent, newest first; undefined when it does not exist.
 * @param agent `readAgent`: the agent, if it was read together with the caller's role
 */
export const listExecutions = async (
  db: Database,
  {
    tenantId,
    agentId,
    readAgent,
  }: { tenantId: TenantId; agentId: string; readAgent?: ReadAgent | undefined },
  selection: ExecutionSelection,
  page: PageRequest,
): Promise<Page<ExecutionItem> | undefined> => {
  const [agent, executions] = await Promise.all([
    readAgent ? readAgent.item : getAgent(db, tenantId, agentId),
    listExecutionsNewestFirst(db, { tenantId, agentId }, selection, page),
  ]);
  return agent === undefined ? undefined : executions;
};
