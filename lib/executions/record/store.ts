import { AgentItem, getAgent } from "../../agents/agent/store.ts";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import { listMatchingPage, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import type { ReadAgent } from "../../tenancy/tenant/context.ts";
import { type ExecutionRecord, ListedExecution, StoredExecution } from "./items.ts";
import { type ExecutionKey, executionKey, executionsLists } from "./keys.ts";
import type { ExecutionStatus } from "./schemas.ts";

/** Writes the record of a new execution, and `more` with it; returns "exists" when it was written before. */
export const putNewExecution = async (
  db: Database,
  record: Record<string, unknown>,
  more?: TransactionWrite,
): Promise<"written" | "exists"> => {
  const put = { Item: record, ...ifNew };
  const { written } = more ? await transact(db, [{ Put: put }, more]) : await putItem(db, put);
  return written ? "written" : "exists";
};

/** AGENT#a with EXEC#id: reads the record of an execution, and its agent. */
export const getAgentAndExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<{ agent: AgentItem; execution: StoredExecution } | undefined> => {
  const found = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    execution: executionKey({ tenantId, agentId, executionId }),
  });
  if (!found.agent || !found.execution) return undefined;
  return {
    agent: AgentItem.parse(found.agent),
    execution: StoredExecution.parse(found.execution),
  };
};

/** AGENT#a with EXEC#id: reads the record of an execution of an existing agent. */
export const getExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<StoredExecution | undefined> =>
  (await getAgentAndExecution(db, tenantId, agentId, executionId))?.execution;

/** Builds the write that adds US dollars to the reservation of an execution that has not ended. */
export const reserveOnRecord = (key: ExecutionKey, more: number): TransactionWrite => ({
  Update: {
    Key: executionKey(key),
    UpdateExpression: "ADD reserved :more",
    ConditionExpression: "#status IN (:queued, :running)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":more": more, ":queued": "Queued", ":running": "Running" },
  },
});

const Status = ListedExecution.transform(({ id, status }) => ({ id, status }));

/** TENANT#t#AGENT#a#EXEC#n / EXEC#id: reads the statuses of executions, by id; leaves out deleted ones. */
export const readStatuses = async (
  db: Database,
  executions: readonly ExecutionKey[],
): Promise<Map<string, ExecutionStatus>> => {
  const found = await getItems(db, executions.map(executionKey), Status);
  return new Map(found.flatMap((item) => (item ? [[item.id, item.status]] : [])));
};

/** Selects executions by a range of start times, both ends inclusive, Unix milliseconds, and by their content. */
export type ExecutionSelection = {
  from?: number | undefined;
  to?: number | undefined;
  matches?: ((item: ExecutionRecord) => boolean) | undefined;
};

const latestTime = 2 ** 48 - 1;

/** TENANT#t#AGENT#a#EXEC#n / EXEC#…: lists the agent's selected executions, newest first. */
export const listExecutionsNewestFirst = (
  db: Database,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
  { from = 0, to = latestTime, matches }: ExecutionSelection,
  page: PageRequest,
) => {
  const [list, ...others] = executionsLists(tenantId, agentId);
  if (!list) throw new Error("an agent has executions in one partition or more");
  const between = {
    from: list.prefix + timePrefix(from),
    to: `${list.prefix}${timePrefix(to)}~`,
  };
  const request = { list, others, newestFirst: true, between, isIndexed: false };
  return matches
    ? listMatchingPage(db, ListedExecution, { ...request, matches }, page)
    : listPage(db, ListedExecution, request, page);
};

/**
 * The first 13 characters of a version 7 UUID encode its millisecond; "~" sorts after every character of one.
 */
const timePrefix = (time: number): string =>
  uuidAt(Math.min(latestTime, Math.max(0, time)), new Uint8Array(10)).slice(0, 13);

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
): Promise<Page<ExecutionRecord> | undefined> => {
  const [agent, executions] = await Promise.all([
    readAgent ? readAgent.item : getAgent(db, tenantId, agentId),
    listExecutionsNewestFirst(db, { tenantId, agentId }, selection, page),
  ]);
  return agent === undefined ? undefined : executions;
};

/** Filters of a list of executions, as its query parameters. */
export type ExecutionFilters = {
  status?: ExecutionStatus | undefined;
  revision?: number | undefined;
  triggerType?: number | undefined;
  "metadata.{name}"?: Record<string, string> | undefined;
};

/** Returns the test that an execution must pass; undefined when no filter is given. */
export const toFilter = ({
  status,
  revision,
  triggerType,
  "metadata.{name}": metadata = {},
}: ExecutionFilters): ((item: ExecutionRecord) => boolean) | undefined => {
  const members = Object.entries(metadata);
  if ([status, revision, triggerType].every((each) => each === undefined) && members.length === 0) {
    return undefined;
  }
  return (item) =>
    (status === undefined || item.status === status) &&
    (revision === undefined || item.agentRevision === revision) &&
    (triggerType === undefined || item.trigger.type === triggerType) &&
    members.every(([name, value]) => getMetadataValue(item.metadata, name) === value);
};

const getMetadataValue = (
  metadata: Record<string, string> = {},
  name: string,
): string | undefined => (Object.hasOwn(metadata, name) ? metadata[name] : undefined);
