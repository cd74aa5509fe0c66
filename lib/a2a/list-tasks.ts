import { listExecutions } from "../executions/read/list-executions.ts";
import { isReader } from "../executions/read/read-execution.ts";
import type { ExecutionRecord } from "../executions/record/execution-record.ts";
import { getExecution } from "../executions/record/store.ts";
import type { Storage } from "../executions/record/values.ts";
import { notFound } from "../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import type { ListTasksParams, ListTasksResponse } from "./list-schemas.ts";
import { nameStored, readTask, type TaskCaller } from "./read-task.ts";
import type { A2aTask } from "./schemas.ts";
import { toState, toTask } from "./to-task.ts";

/** Bytes of tasks after which others of a page have neither history nor artifacts. */
const maxContentBytes = maxResponseBytes / 2;
/** Tasks that are read at a time, with their contents. */
const readTogether = 10;

/**
 * Lists the tasks of an agent, latest start first: all of them for a caller who may read its executions, otherwise those that
 * the caller started. Throws 404 for an agent that does not exist.
 */
export const listTasks = async (
  storage: Storage,
  {
    ctx,
    agentId,
    params,
  }: {
    ctx: TaskCaller & { readAgent?: ReadAgent | undefined };
    agentId: string;
    params: ListTasksParams;
  },
): Promise<ListTasksResponse> => {
  const { tenant, readAgent, clock } = ctx;
  const { pageSize, pageToken: skip = 0 } = params;
  const of = { tenantId: tenant.id, agentId, readAgent };
  const selection = { now: clock(), matches: createFilter(ctx, params) };
  const page = await listExecutions(storage.db, of, selection, { size: pageSize, skip });
  if (!page) throw notFound("agent", agentId);
  const { items, nextPageToken } = page;
  return {
    tasks: await readTasks(storage, { ctx, items, params }),
    nextPageToken: nextPageToken ?? "",
    pageSize,
    totalSize: nextPageToken === null ? skip + items.length : Number(nextPageToken) + 1,
  };
};

/** Returns the test that an execution must pass; undefined when all do. */
const createFilter = (
  { principal }: TaskCaller,
  { contextId, status, statusTimestampAfter: after }: ListTasksParams,
): ((item: ExecutionRecord) => boolean) | undefined => {
  const readsAll = hasScope(principal, "executions:read");
  const isFiltered = [contextId, status, after].some((value) => value !== undefined);
  if (readsAll && !isFiltered) return undefined;
  return (item) =>
    isReader(principal, "executions:read", item.trigger) &&
    (contextId === undefined || nameStored(item).contextId === contextId) &&
    (status === undefined || toState(item.status, item.errorType) === status) &&
    (after === undefined || (item.endTime ?? item.startTime) >= after);
};

type Reading = {
  ctx: TaskCaller;
  items: readonly ExecutionRecord[];
  params: Pick<ListTasksParams, "historyLength" | "includeArtifacts">;
};

/** Reads tasks with what was asked for, as far as a response has room for it. */
const readTasks = async (storage: Storage, { ctx, items, params }: Reading): Promise<A2aTask[]> => {
  const { historyLength = 0, includeArtifacts } = params;
  if (historyLength === 0 && !includeArtifacts) return items.map(toListed);
  const tasks: A2aTask[] = [];
  const view = { historyLength, hasArtifacts: includeArtifacts };
  let bytes = 0;
  for (let at = 0; at < items.length; at += readTogether) {
    const part = items.slice(at, at + readTogether);
    const read = await Promise.all(
      part.map(async (item) => {
        if (bytes > maxContentBytes) return toListed(item);
        const execution = await getExecution(storage.db, ctx.tenant.id, item.agentId, item.id);
        return execution ? readTask(storage, { ctx, execution, view }) : toListed(item);
      }),
    );
    for (const [index, task] of read.entries()) {
      const item = part[index];
      const size = responseBytes(task);
      const isShown = bytes + size <= maxContentBytes || item === undefined;
      if (isShown) bytes += size;
      else bytes = Number.POSITIVE_INFINITY;
      tasks.push(isShown ? task : toListed(item));
    }
  }
  return tasks;
};

const toListed = (item: ExecutionRecord): A2aTask =>
  toTask({ ...item, executionId: item.id }, { names: nameStored(item), errorType: item.errorType });
