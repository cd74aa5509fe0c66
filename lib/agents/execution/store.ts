import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { listMatchingPage, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { executionInputKey, executionKey, executionOutputKey, executionsList } from "../keys.ts";
import {
  ExecutionInputItem,
  ExecutionItem,
  ExecutionOutputItem,
  type WholeExecution,
} from "./items.ts";
import { ExecutionStatus } from "./schemas.ts";

/**
 * Writes a new execution, its input and `more` in one transaction; returns "exists" when it was written
 * before.
 */
export const putNewExecution = async (
  db: Database,
  tenantId: TenantId,
  {
    item,
    input,
    more,
  }: {
    item: ExecutionItem;
    input: ExecutionInputItem;
    more: readonly TransactionWrite[];
  },
): Promise<"written" | "exists"> => {
  const outcome = await transact(db, [
    {
      Put: {
        Item: { ...listed(executionKey(tenantId, item.agentId, item.id)), ...item },
        ...ifNew,
      },
    },
    { Put: { Item: { ...executionInputKey(tenantId, item.id), ...input }, ...ifNew } },
    ...more,
  ]);
  return outcome.written ? "written" : "exists";
};

/** Changes an execution from queued to running; returns "ended" when it was cancelled. */
export const putRunning = async (
  db: Database,
  tenantId: TenantId,
  { agentId, id }: ExecutionItem,
): Promise<"written" | "ended"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(tenantId, agentId, id),
        UpdateExpression: "SET #status = :running",
        ConditionExpression: "#status IN (:queued, :running)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":queued": "Queued", ":running": "Running" },
      },
    },
  ]);
  return outcome.written ? "written" : "ended";
};

/** AGENT#a with EXEC#id, INPUT and OUTPUT: reads an execution of an existing agent with input and output. */
export const getExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<WholeExecution | undefined> => {
  const { agent, item, input, output } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    item: executionKey(tenantId, agentId, executionId),
    input: executionInputKey(tenantId, executionId),
    output: executionOutputKey(tenantId, executionId),
  });
  if (!agent || !item || !input) return undefined;
  return {
    item: ExecutionItem.parse(item),
    input: ExecutionInputItem.parse(input),
    output: output && ExecutionOutputItem.parse(output),
  };
};

/** AGENT#a with EXEC#id: reads the record of an execution of an existing agent. */
export const getExecutionItem = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<ExecutionItem | undefined> => {
  const { agent, item } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    item: executionKey(tenantId, agentId, executionId),
  });
  return agent && item && ExecutionItem.parse(item);
};

const Status = z.object({ id: z.string(), status: ExecutionStatus });

/** TENANT#t#AGENT#a / EXEC#id: reads the statuses of executions, by id; leaves out deleted ones. */
export const readStatuses = async (
  db: Database,
  tenantId: TenantId,
  executions: readonly { agentId: string; executionId: string }[],
): Promise<Map<string, ExecutionStatus>> => {
  const keys = executions.map((each) => executionKey(tenantId, each.agentId, each.executionId));
  const found = await getItems(db, keys, Status);
  return new Map(found.flatMap((item) => (item ? [[item.id, item.status]] : [])));
};

/** A range of start times, both ends inclusive, Unix milliseconds. */
export type TimeSpan = { from: number | undefined; to: number | undefined };

const latestTime = 2 ** 48 - 1;

/** TENANT#t#AGENT#a / EXEC#…: lists the agent's executions that started in a range, newest first. */
export const listExecutionsNewestFirst = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { from = 0, to = latestTime }: TimeSpan,
  page: PageRequest,
  matches?: (item: ExecutionItem) => boolean,
) => {
  const list = executionsList(tenantId, agentId);
  const between = {
    from: list.prefix + timePrefix(from),
    to: `${list.prefix}${timePrefix(to)}~`,
  };
  const request = { list, newestFirst: true, between };
  return matches
    ? listMatchingPage(db, ExecutionItem, request, page, matches)
    : listPage(db, ExecutionItem, request, page);
};

/**
 * The first 13 characters of a version 7 UUID encode its millisecond; "~" sorts after every character of one.
 */
const timePrefix = (time: number): string =>
  uuidAt(Math.min(latestTime, Math.max(0, time)), new Uint8Array(10)).slice(0, 13);
