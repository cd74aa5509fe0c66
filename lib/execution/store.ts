import * as z from "zod";
import { monthOf } from "../budget/month.ts";
import { settleSpend } from "../budget/spend-store.ts";
import type { Database } from "../db/database.ts";
import { getMany, getTogether } from "../db/get-together.ts";
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
import { SealedValue } from "../db/seal.ts";
import { type TransactionWrite, transact } from "../db/transact.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { putInOutbox } from "../event/outbox-store.ts";
import { Utterance } from "../flow/utterance.ts";
import type { PageRequest } from "../http/paging.ts";
import { uuidAt } from "../runtime/runtime.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { deleteOpen, markCancelled } from "./open-store.ts";
import { ExecutionError, ExecutionRecord, ExecutionStatus, triggerTypes } from "./schemas.ts";
import { type CountedUsage, countUsage } from "./usage-store.ts";

/** An execution as it is stored, without what went in and came out. */
export const ExecutionItem = ExecutionRecord.extend({
  status: ExecutionStatus,
  /** US dollars of its agent's budget that are set aside for it. */
  reserved: z.number().default(0),
  /** Whether what it used is counted: of a cancelled one only when its run has stopped. Absent until then. */
  settled: z.boolean().optional(),
});
export type ExecutionItem = z.output<typeof ExecutionItem>;

/** What went into an execution: secrets masked, and sealed beside it; and the conversation that it answers in. */
export const ExecutionInputItem = z.object({
  input: PackedValue,
  secrets: SealedValue.nullable(),
  session: z.array(Utterance).optional(),
  metadata: z.record(z.string(), z.string()),
});
export type ExecutionInputItem = z.output<typeof ExecutionInputItem>;

/** What came out of an execution, and what happened on the way. */
export const ExecutionOutputItem = z.object({
  output: PackedValue,
  error: ExecutionError.nullable(),
  trace: PackedValue,
});
export type ExecutionOutputItem = z.output<typeof ExecutionOutputItem>;

/** Writes a new execution and its input, and `more` that belongs to its beginning; or says that it exists. */
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
  const ConditionExpression = "attribute_not_exists(pk)";
  const outcome = await transact(db, [
    {
      Put: {
        Item: { ...listed(executionKey(tenantId, item.agentId, item.id)), ...item },
        ConditionExpression,
      },
    },
    { Put: { Item: { ...executionInputKey(tenantId, item.id), ...input }, ConditionExpression } },
    ...more,
  ]);
  return outcome.written ? "written" : "exists";
};

/** A queued execution runs from now on; "ended" when it was cancelled meanwhile. */
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

/** How an execution ended, and what it used. */
export type EndedExecution = {
  item: ExecutionItem;
  output: ExecutionOutputItem;
  usage: CountedUsage;
  /** US dollars that were set aside for it: all of what its record says, or nothing is written. */
  reserved: number;
  /** Token of the run that has it; null for a sub-agent's, which is its parent's. */
  owner: string | null;
  /** What is to be told of it. */
  events: readonly OrganizationEvent[];
};

/**
 * Writes the final state of a queued or running execution together with the counters: both or neither, so
 * that every execution is counted exactly once, by the one run that has it. "not-open" when it had
 * ended before, or another run has it, or it is gone.
 */
export const putFinishedExecution = (
  db: Database,
  tenantId: TenantId,
  ended: EndedExecution,
): Promise<"written" | "not-open"> =>
  putEnd(db, tenantId, ended, {
    changes: changesAtTheEnd,
    condition: "#status IN (:queued, :running)",
    values: { ":queued": "Queued", ":running": "Running" },
  });

/** Counts what a cancelled execution had used, once; its state stays. "not-open" as above. */
export const settleCancelledExecution = (
  db: Database,
  tenantId: TenantId,
  ended: EndedExecution,
): Promise<"written" | "not-open"> =>
  putEnd(
    db,
    tenantId,
    { ...ended, item: { ...ended.item, status: "Cancelled" } },
    {
      changes: [...changesWhenSettled, "status"],
      condition: "#status = :status AND attribute_not_exists(settled)",
      values: {},
    },
  );

const putEnd = async (
  db: Database,
  tenantId: TenantId,
  { item, output, usage, reserved, owner, events }: EndedExecution,
  {
    changes,
    condition,
    values,
  }: { changes: readonly string[]; condition: string; values: Record<string, string> },
): Promise<"written" | "not-open"> => {
  const members = Object.entries({ ...item, settled: true }).filter(([name]) =>
    changes.includes(name),
  );
  const month = monthOf(item.startTime);
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(tenantId, item.agentId, item.id),
        UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
        ConditionExpression: `${condition} AND reserved = :reserved`,
        ExpressionAttributeNames: Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(members.map(([name, value]) => [`:${name}`, value])),
          ...values,
          ":reserved": reserved,
        },
      },
    },
    ...(owner === null ? [] : [deleteOpen(item.id, owner)]),
    { Put: { Item: { ...executionOutputKey(tenantId, item.id), ...output } } },
    ...countUsage(tenantId, item, usage),
    ...settleSpend(tenantId, item.agentId, month, { cost: usage.cost.totalCost, reserved }),
    ...events.map(putInOutbox),
  ]);
  return outcome.written ? "written" : "not-open";
};

const changesWhenSettled = [
  "settled",
  "hasTrace",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "inputCost",
  "outputCost",
  "cachedCost",
  "thinkingCost",
  "totalCost",
];
const changesAtTheEnd = [...changesWhenSettled, "status", "endTime", "hasResult"];

/**
 * Cancels a queued or running execution; whoever works on it hears of it and counts what it had used.
 * "ended" when it had ended before.
 */
export const cancelExecutionItem = async (
  db: Database,
  tenantId: TenantId,
  { agentId, id, trigger }: ExecutionItem,
  endTime: number,
): Promise<"written" | "ended"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(tenantId, agentId, id),
        UpdateExpression: "SET #status = :cancelled, endTime = :now",
        ConditionExpression: "#status IN (:queued, :running)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: {
          ":cancelled": "Cancelled",
          ":now": endTime,
          ":queued": "Queued",
          ":running": "Running",
        },
      },
    },
    ...(trigger.type === triggerTypes.subAgent ? [] : [markCancelled(id)]),
  ]);
  return outcome.written ? "written" : "ended";
};

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

/** AGENT#a with EXEC#id: the record of this execution of a living agent, without what went in and came out. */
export const getExecutionItem = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<ExecutionItem | undefined> => {
  const { agent, item } = await getTogether(db, {
    agent: agentKey(tenantId, agentId),
    item: executionKey(tenantId, agentId, executionId),
  });
  return agent && item && ExecutionItem.parse(item);
};

const Status = z.object({ id: z.string(), status: ExecutionStatus });

/** TENANT#t#AGENT#a / EXEC#id: where do these executions stand? By id; those that are gone are left out. */
export const readStatuses = async (
  db: Database,
  tenantId: TenantId,
  executions: readonly { agentId: string; executionId: string }[],
): Promise<Map<string, ExecutionStatus>> => {
  const keys = executions.map((each) => executionKey(tenantId, each.agentId, each.executionId));
  const items = await getMany(db, keys);
  return new Map(
    items
      .flatMap((item) => (item ? [Status.parse(item)] : []))
      .map(({ id, status }) => [id, status]),
  );
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
        from: list.prefix + timePrefix(from),
        to: `${list.prefix}${timePrefix(to)}~`,
      },
    },
    page,
  );
};

/** The first 13 characters of a version 7 uuid are its millisecond; "~" sorts after all that may follow. */
const timePrefix = (time: number): string =>
  uuidAt(Math.min(latestTime, Math.max(0, time)), new Uint8Array(10)).slice(0, 13);
