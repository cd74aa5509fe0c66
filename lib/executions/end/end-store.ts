import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { type CountedUsage, countUsage, withoutModels } from "../../spending/usage/count-usage.ts";
import {
  type ExecutionItem,
  type ExecutionKey,
  executionKey,
  leaseAttributes,
  placeValue,
  type StoredOutcome,
  type StoredValue,
  type TreeCost,
  toExecutionKey,
  toStored,
} from "../record/execution-record.ts";

/** The final state of an execution and its usage. */
export type EndedExecution = {
  item: ExecutionItem;
  end: StoredOutcome;
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

type EndStorage = { db: Database; objects: ObjectStore };

/**
 * Writes the final state of a queued or running execution together with its counters, in one transaction, so
 * that each execution is counted once. Returns "not-open" when it has ended, is held by another run, or was
 * deleted.
 */
export const putFinishedExecution = (
  storage: EndStorage,
  tenantId: TenantId,
  ended: EndedExecution,
): Promise<"written" | "not-open"> =>
  putEnd(storage, tenantId, ended, {
    members: changesAtTheEnd,
    more: ended.item.status === "Cancelled" ? { settled: true } : {},
    condition: "#status IN (:queued, :running)",
    values: { ":queued": "Queued", ":running": "Running" },
  });

/** Counts the usage of a cancelled execution, once; its state is kept. Returns "not-open" as above. */
export const settleCancelledExecution = (
  storage: EndStorage,
  tenantId: TenantId,
  ended: EndedExecution,
): Promise<"written" | "not-open"> =>
  putEnd(
    storage,
    tenantId,
    { ...ended, item: { ...ended.item, status: "Cancelled" } },
    {
      members: changesWhenSettled,
      more: { settled: true },
      condition: "#status = :cancelled AND attribute_not_exists(settled)",
      values: { ":cancelled": "Cancelled" },
    },
  );

const changesWhenSettled: readonly string[] = [
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "thinkingTokens",
  "inputCost",
  "outputCost",
  "cachedCost",
  "thinkingCost",
  "totalCost",
  "priced",
  "totalCostWithSubAgents",
  "pricedWithSubAgents",
];
const changesAtTheEnd = [...changesWhenSettled, "status", "errorType", "endTime"];

/** Compressed bytes of output, error and trace that the record has room for: a page of a list reads them. */
const maxInline = 1_000;

type EndChange = {
  members: readonly string[];
  more: Record<string, unknown>;
  condition: string;
  values: Record<string, string>;
};

const putEnd = async (
  storage: EndStorage,
  tenantId: TenantId,
  ended: EndedExecution,
  change: EndChange,
): Promise<"written" | "not-open"> => {
  const { db, objects } = storage;
  const { item, end, usage, reserved, budgetAmount: amount, events } = ended;
  const place = toExecutionKey(item);
  const { stored, part } = await placeValue(objects, place, { kind: "END", value: end }, maxInline);
  if (part) await putItem(db, { Item: part.item });
  const counter = countUsage(tenantId, item, usage);
  const writes: TransactionWrite[] = [
    { Update: endOfRecord(place, ended, stored, change) },
    counter,
    ...settleSpend(tenantId, item, { amount, cost: usage.cost.totalCost, reserved }),
    ...events.map(putInOutbox),
  ];
  const outcome = await transact(db, writes);
  if (outcome.written) return "written";
  const failed = writes.filter((_, at) => outcome.failed[at]);
  if (failed.length > 1 || failed[0] !== counter) return "not-open";
  return putEnd(storage, tenantId, { ...ended, usage: withoutModels(usage) }, change);
};

const endOfRecord = (
  place: ExecutionKey,
  { item, reserved, owner }: EndedExecution,
  result: StoredValue,
  { members, more, condition, values }: EndChange,
) => {
  const changed = Object.entries(toStored(item)).filter(([name]) => members.includes(name));
  const set = [...changed, ["result", result] as const, ...Object.entries(more)];
  const hidden = item.hasTrace ? [] : [["hasTrace", false] as const];
  const removed = [...leaseAttributes, ...(item.hasTrace ? ["hasTrace"] : [])];
  const conditions = [
    condition,
    reserved === 0
      ? "(attribute_not_exists(reserved) OR reserved = :reserved)"
      : "reserved = :reserved",
    ...(owner === null ? [] : ["#owner = :owner"]),
  ];
  const all = [...set, ...hidden];
  return {
    Key: executionKey(place),
    UpdateExpression: `SET ${all.map(([name]) => `#${name} = :${name}`).join(", ")} REMOVE ${removed.map((name) => `#${name}`).join(", ")}`,
    ConditionExpression: conditions.join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(
      ["status", ...all.map(([name]) => name), ...removed].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
      ...values,
      ":reserved": reserved,
      ...(owner !== null && { ":owner": owner }),
    },
  };
};

/** Corrects the cost of an ended execution with its sub-agents, some of which ended after it. */
export const putCostWithSubAgents = (
  db: Database,
  item: Parameters<typeof toExecutionKey>[0],
  { cost, priced }: TreeCost,
): Promise<unknown> =>
  transact(db, [
    {
      Update: {
        Key: executionKey(toExecutionKey(item)),
        UpdateExpression: "SET totalCostWithSubAgents = :cost, pricedWithSubAgents = :priced",
        ...ifExists,
        ExpressionAttributeValues: { ":cost": cost, ":priced": priced },
      },
    },
  ]);

/**
 * Cancels a queued or running execution; its run then stops and counts its usage. Returns "ended" when it has
 * ended.
 */
export const cancelExecutionItem = async (
  db: Database,
  place: ExecutionKey,
  endTime: number,
): Promise<"written" | "ended"> => {
  const { written } = await updateItem(db, {
    Key: executionKey(place),
    UpdateExpression: "SET #status = :cancelled, endTime = :now",
    ConditionExpression: "#status IN (:queued, :running)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":cancelled": "Cancelled",
      ":now": endTime,
      ":queued": "Queued",
      ":running": "Running",
    },
  });
  return written ? "written" : "ended";
};
