import type { Database } from "../../platform/db/database.ts";
import { executionKey, executionOutputKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { monthOf } from "../budget/month.ts";
import { settleSpend } from "../budget/spend-store.ts";
import { type CountedUsage, countUsage } from "../usage/store.ts";
import type { ExecutionItem, ExecutionOutputItem } from "./items.ts";
import { deleteOpen, markCancelled } from "./open-store.ts";
import { triggerTypes } from "./schemas.ts";

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
