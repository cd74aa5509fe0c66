import type { Database } from "../../platform/db/database.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { isOpen, leaseAttributes, openIndex, StoredExecution } from "./execution-record.ts";
import { type ExecutionKey, executionKey } from "./keys.ts";

/**
 * Queues a waiting execution: from now on it is among the open ones, and its message counts as lost after `leaseUntil`
 * (Unix milliseconds). Returns "open" for one that runs or is queued, "ended" for one that ended or was deleted.
 */
export const queueWaiting = async (
  db: Database,
  key: ExecutionKey,
  leaseUntil: number,
): Promise<"queued" | "open" | "ended"> => {
  const { written, item } = await updateItem(db, buildQueueWaiting(key, leaseUntil));
  if (written) return "queued";
  return item && isOpen(StoredExecution.parse(item).item) ? "open" : "ended";
};

/** Builds the update by which `queueWaiting` queues an execution. */
export const buildQueueWaiting = (key: ExecutionKey, leaseUntil: number) =>
  buildChange(key, { status: "Queued", leaseUntil, sends: 1, ...openIndex(key.executionId) });

/**
 * Builds the update that counts an answer to a wait of an execution that runs or is queued: its run does not begin to wait
 * before it has read it.
 */
export const buildCountAnswer = (key: ExecutionKey) => ({
  Key: executionKey(key),
  UpdateExpression: "ADD answers :one",
  ConditionExpression: "#status IN (:running, :queued)",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":one": 1, ":running": "Running", ":queued": "Queued" },
});

/**
 * Cancels an execution that waits, or waits for its turn in a session. It is among the open ones from now on, so that a run
 * counts its usage; a sub-agent's (`leaseUntil` undefined) is counted by the run of its caller. Returns false for one that
 * does not wait.
 */
export const cancelWaitingItem = async (
  db: Database,
  key: ExecutionKey,
  { endTime, leaseUntil }: { endTime: number; leaseUntil: number | undefined },
): Promise<boolean> => {
  const lease = leaseUntil !== undefined && {
    leaseUntil,
    sends: 1,
    ...openIndex(key.executionId),
  };
  const update = buildChange(key, { status: "Cancelled", endTime, ...lease });
  const ConditionExpression = `${update.ConditionExpression} OR ${ifDormant}`;
  const values = { ...update.ExpressionAttributeValues, ":queued": "Queued" };
  return (
    await updateItem(db, { ...update, ConditionExpression, ExpressionAttributeValues: values })
  ).written;
};

/** Builds the update of a waiting execution. */
const buildChange = (key: ExecutionKey, set: Record<string, unknown>) => {
  const names = Object.keys(set);
  return {
    Key: executionKey(key),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ConditionExpression: "#status = :waiting",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ":waiting": "Waiting",
    },
  };
};

/** Makes a sub-agent's waiting execution run again, within a run of its caller. */
export const resumeSubExecution = async (db: Database, key: ExecutionKey): Promise<void> => {
  await updateItem(db, {
    Key: executionKey(key),
    UpdateExpression: "SET #status = :running",
    ConditionExpression: "#status = :waiting",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":running": "Running", ":waiting": "Waiting" },
  });
};

/** Returns the record of a new execution that waits for its turn in a session: queued, without a lease. */
export const toDormant = (record: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => name === "limitMs" || !leaseAttributes.includes(name),
    ),
  ),
  status: "Queued",
  // Its starter does not wait for its end, as with one that waits.
  hasWaited: true,
});

/** Returns whether nothing runs an execution until a wait ends, or its turn in its session comes. */
export const isDormant = ({ item: { status }, lease }: Pick<StoredExecution, "item" | "lease">) =>
  status === "Waiting" || (status === "Queued" && lease === undefined);

/** Condition that a queued execution waits for its turn in a session. */
export const ifDormant = "(#status = :queued AND attribute_not_exists(leaseUntil))";

/** Builds the write that gives an execution its turn: it is among the open ones from now on. Times in Unix milliseconds. */
export const wakeDormant = (key: ExecutionKey, leaseUntil: number): TransactionWrite => {
  const set = { leaseUntil, sends: 1, ...openIndex(key.executionId) };
  const names = Object.keys(set);
  return {
    Update: {
      Key: executionKey(key),
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(", ")}`,
      ConditionExpression: ifDormant,
      ExpressionAttributeNames: { "#status": "status" },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ":queued": "Queued",
      },
    },
  };
};
