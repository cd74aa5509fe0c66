import * as z from "zod";
import type { Database } from "../db/database.ts";
import { getTogether } from "../db/get-together.ts";
import {
  agentKey,
  executionInputKey,
  executionKey,
  executionOutputKey,
  executionsList,
  listed,
} from "../db/keys.ts";
import { PackedValue } from "../db/large-value.ts";
import { listPage } from "../db/list-page.ts";
import { transact } from "../db/transact.ts";
import type { PageRequest } from "../http/paging.ts";
import { uuidAt } from "../runtime/runtime.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { ExecutionError, ExecutionRecord, ExecutionStatus } from "./schemas.ts";
import { type CountedUsage, countUsage } from "./usage-store.ts";

/** An execution as it is stored, without what went in and came out. */
export const ExecutionItem = ExecutionRecord.extend({ status: ExecutionStatus });
export type ExecutionItem = z.output<typeof ExecutionItem>;

/** What went into an execution. */
export const ExecutionInputItem = z.object({
  input: PackedValue,
  metadata: z.record(z.string(), z.string()),
});
export type ExecutionInputItem = z.output<typeof ExecutionInputItem>;

/** What came out of an execution. */
export const ExecutionOutputItem = z.object({
  output: PackedValue,
  error: ExecutionError.nullable(),
});
export type ExecutionOutputItem = z.output<typeof ExecutionOutputItem>;

/** Writes a running execution and its input. */
export const putStartedExecution = async (
  db: Database,
  tenantId: TenantId,
  item: ExecutionItem,
  input: ExecutionInputItem,
): Promise<void> => {
  const ConditionExpression = "attribute_not_exists(pk)";
  const outcome = await transact(db, [
    {
      Put: {
        Item: { ...listed(executionKey(tenantId, item.agentId, item.id)), ...item },
        ConditionExpression,
      },
    },
    { Put: { Item: { ...executionInputKey(tenantId, item.id), ...input }, ConditionExpression } },
  ]);
  if (!outcome.written) throw new Error("a new execution met an item under its own id");
};

/** The final state of an execution, and what it used. */
export type FinishedExecution = {
  item: ExecutionItem;
  output: ExecutionOutputItem;
  usage: CountedUsage;
};

/**
 * Writes the final state of a queued or running execution together with the counters: both or neither, so
 * that every execution is counted exactly once. "already-final" when it had ended before, or is gone.
 */
export const putFinishedExecution = async (
  db: Database,
  tenantId: TenantId,
  { item, output, usage }: FinishedExecution,
): Promise<"written" | "already-final"> => {
  const members = Object.entries(item).filter(([name]) => changesAtTheEnd.has(name));
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(tenantId, item.agentId, item.id),
        UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
        ConditionExpression: "#status IN (:queued, :running)",
        ExpressionAttributeNames: Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(members.map(([name, value]) => [`:${name}`, value])),
          ":queued": "Queued",
          ":running": "Running",
        },
      },
    },
    { Put: { Item: { ...executionOutputKey(tenantId, item.id), ...output } } },
    ...countUsage(tenantId, item, usage),
  ]);
  return outcome.written ? "written" : "already-final";
};

const changesAtTheEnd = new Set([
  "status",
  "endTime",
  "hasResult",
  "hasTrace",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "inputCost",
  "outputCost",
  "cachedCost",
  "thinkingCost",
  "totalCost",
]);

/** An execution with what went in and, once it has ended, what came out. */
export type WholeExecution = {
  item: ExecutionItem;
  input: ExecutionInputItem;
  output: ExecutionOutputItem | undefined;
};

/** AGENT#a with EXEC#id, INPUT and OUTPUT: this execution of a living agent, whole. */
export const getExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<WholeExecution | undefined> => {
  const { agent, item, input, output } = await getTogether(db, {
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

/** A span of start times, both ends inclusive, Unix milliseconds. */
export type TimeSpan = { from: number | undefined; to: number | undefined };

const latestTime = 2 ** 48 - 1;

/** TENANT#t#AGENT#a / EXEC#…: the agent's executions that started in a span, most recent first. */
export const listExecutionsNewestFirst = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { from = 0, to = latestTime }: TimeSpan,
  page: PageRequest,
) => {
  const list = executionsList(tenantId, agentId);
  return listPage(
    db,
    ExecutionItem,
    {
      list,
      newestFirst: true,
      between: {
        from: list.prefix + timePrefix(Math.min(from, latestTime)),
        to: `${list.prefix}${timePrefix(Math.min(to, latestTime))}~`,
      },
    },
    page,
  );
};

/** The first 13 characters of a version 7 uuid are its millisecond; "~" sorts after all that may follow. */
const timePrefix = (time: number): string => uuidAt(time, new Uint8Array(10)).slice(0, 13);
