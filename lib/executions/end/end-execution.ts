import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import {
  type ExecutionKey,
  type ExecutionRecord,
  executionKey,
  leaseAttributes,
  placeValue,
  type StoredOutcome,
  type StoredValue,
  type TreeCost,
  toExecutionKey,
  toStored,
} from "../record/execution-record.ts";

/** A write to make together with the end of an execution. `otherwise` takes its place when its condition fails. */
export type EndWrite = { write: TransactionWrite; otherwise?: TransactionWrite };

/** The end of an execution. */
export type EndRequest = {
  /** The record with its final members. */
  item: ExecutionRecord;
  outcome: StoredOutcome;
  /** US dollars reserved for it; must equal the reservation on its record, or nothing is written. */
  reserved: number;
  /** Token of the run that holds it; null for a sub-agent's execution, which its parent's run holds. */
  owner: string | null;
  /** Writes of others, such as counters and events. */
  writes: readonly EndWrite[];
};

type EndStorage = { db: Database; objects: ObjectStore };

/**
 * Writes the final state of a queued or running execution together with the writes of others, in one transaction, so
 * that each execution is counted once. A cancelled execution keeps its state and takes its usage, once. Returns
 * "not-open" when it has ended, is held by another run, or was deleted.
 * @param from the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = (
  storage: EndStorage,
  end: EndRequest,
  from: "open" | "cancelled",
): Promise<"written" | "not-open"> => {
  const { item } = end;
  if (from === "open") {
    return putEnd(storage, end, {
      members: changesAtTheEnd,
      more: item.status === "Cancelled" ? { settled: true } : {},
      condition: "#status IN (:queued, :running)",
      values: { ":queued": "Queued", ":running": "Running" },
    });
  }
  return putEnd(
    storage,
    { ...end, item: { ...item, status: "Cancelled" } },
    {
      members: changesWhenSettled,
      more: { settled: true },
      condition: "#status = :cancelled AND attribute_not_exists(settled)",
      values: { ":cancelled": "Cancelled" },
    },
  );
};

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
  end: EndRequest,
  change: EndChange,
): Promise<"written" | "not-open"> => {
  const { db, objects } = storage;
  const { item, outcome: value, writes } = end;
  const key = toExecutionKey(item);
  const { stored, part } = await placeValue(objects, key, { kind: "END", value }, maxInline);
  if (part) await putItem(db, { Item: part.item });
  const record = { Update: endOfRecord(key, end, stored, change) };
  const outcome = await transact(db, [record, ...writes.map(({ write }) => write)]);
  if (outcome.written) return "written";
  const [isRecordLeft, ...failed] = outcome.failed;
  const mayReplace =
    failed.includes(true) && writes.every(({ otherwise }, at) => !failed[at] || otherwise);
  if (isRecordLeft || !mayReplace) return "not-open";
  const replaced = writes.map((each, at) =>
    failed[at] && each.otherwise ? { write: each.otherwise } : each,
  );
  return putEnd(storage, { ...end, writes: replaced }, change);
};

const endOfRecord = (
  key: ExecutionKey,
  { item, reserved, owner }: EndRequest,
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
    Key: executionKey(key),
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
