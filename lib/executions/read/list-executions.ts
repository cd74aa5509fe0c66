import { getAgent } from "../../agents/agent/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { listMatchingPage, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { uuidRange } from "../../platform/db/uuid-range.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { ReadAgent } from "../../tenancy/tenant/context.ts";
import {
  type ExecutionRecord,
  StoredExecution,
  withoutExpired,
} from "../record/execution-record.ts";
import { executionsLists } from "../record/keys.ts";

/** Returns whether an execution is selected by its content. */
export type MatchExecution = (item: ExecutionRecord, stored: StoredExecution) => boolean;

/** Selects executions by a range of start times, both ends inclusive, Unix milliseconds, and by their content. */
export type ExecutionSelection = {
  from?: number | undefined;
  to?: number | undefined;
  matches?: MatchExecution | undefined;
};

/**
 * TENANT#t#AGENT#a#EXEC#n / EXEC#…: lists the agent's selected executions, newest first. A page may have fewer items
 * than its size, or none, where others have expired.
 */
export const listExecutionsNewestFirst = async (
  db: Database,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
  { from, to, matches, now }: ExecutionSelection & { now: number },
  page: PageRequest,
): Promise<Page<ExecutionRecord>> => {
  const [list, ...others] = executionsLists(tenantId, agentId);
  if (!list) throw new Error("an agent has executions in one partition or more");
  const between = uuidRange(list.prefix, from, to);
  const request = { list, others, newestFirst: true, between, isIndexed: false };
  const isSelected = (execution: StoredExecution): boolean =>
    withoutExpired(execution, now) !== undefined && matches?.(execution.item, execution) !== false;
  const { items, nextPageToken } = matches
    ? await listMatchingPage(db, StoredExecution, { ...request, matches: isSelected }, page)
    : await listPage(db, StoredExecution, request, page);
  const kept = items.flatMap((item) => withoutExpired(item, now)?.item ?? []);
  return { items: kept, nextPageToken };
};

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
  selection: ExecutionSelection & { now: number },
  page: PageRequest,
): Promise<Page<ExecutionRecord> | undefined> => {
  const [agent, executions] = await Promise.all([
    readAgent ? readAgent.item : getAgent(db, tenantId, agentId),
    listExecutionsNewestFirst(db, { tenantId, agentId }, selection, page),
  ]);
  return agent === undefined ? undefined : executions;
};

/** Reads the range of start times from the query parameters of a list. Throws 400 for an empty one. */
export const toStartRange = ({
  startTime: from,
  endTime: to,
}: {
  startTime?: number | undefined;
  endTime?: number | undefined;
}): Pick<ExecutionSelection, "from" | "to"> => {
  if (from !== undefined && to !== undefined && from > to) {
    throw validationFailed([{ pointer: "query/startTime", detail: "must not be after endTime" }]);
  }
  return { from, to };
};
