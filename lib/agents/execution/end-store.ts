import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { settleSpend } from "../budget/spend-store.ts";
import { executionKey, executionOutputKey } from "../keys.ts";
import { type CountedUsage, countUsage, withoutModels } from "../usage/count-usage.ts";
import type { ExecutionItem, ExecutionOutputItem } from "./items.ts";
import { deleteOpen, markCancelled } from "./open-store.ts";
import { triggerTypes } from "./schemas.ts";

/** The final state of an execution and its usage. */
export type EndedExecution = {
  item: ExecutionItem;
  output: ExecutionOutputItem;
  usage: CountedUsage;
  /** US dollars reserved for it; must equal the reservation on its record, or nothing is written. */
  reserved: number;
  /** US dollars of its agent's budget; null without one. */
  budgetAmount: number | null;
  /** Token of the run that holds it; null for a sub-agent's execution, which its parent's run holds. */
  owner: string | null;
  /** Events to publish. */
  events: readonly OrganizationEvent[];
};

/**
 * Writes the final state of a queued or running execution together with its counters, in one transaction, so
 * that each execution is counted once. Returns "not-open" when it has ended, is held by another run, or was
 * deleted.
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

/** Counts the usage of a cancelled execution, once; its state is kept. Returns "not-open" as above. */
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
  ended: EndedExecution,
  transition: { changes: readonly string[]; condition: string; values: Record<string, string> },
): Promise<"written" | "not-open"> => {
  const { item, output, usage, reserved, budgetAmount: amount, owner, events } = ended;
  const { changes, condition, values } = transition;
  const members = Object.entries({ ...item, settled: true }).filter(([name]) =>
    changes.includes(name),
  );
  const counter = countUsage(tenantId, item, usage);
  const writes = [
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
    counter,
    ...settleSpend(tenantId, item, { amount, cost: usage.cost.totalCost, reserved }),
    ...events.map(putInOutbox),
  ];
  const outcome = await transact(db, writes);
  if (outcome.written) return "written";
  const failed = writes.filter((_, at) => outcome.failed[at]);
  if (failed.length > 1 || failed[0] !== counter) return "not-open";
  return putEnd(db, tenantId, { ...ended, usage: withoutModels(usage) }, transition);
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
const changesAtTheEnd = [...changesWhenSettled, "status", "errorType", "endTime", "hasResult"];

/**
 * Cancels a queued or running execution; its run then stops and counts its usage. Returns "ended" when it has
 * ended.
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
