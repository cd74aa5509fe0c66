import type { TransactionWrite } from "../../platform/db/transact.ts";
import { leaseAttributes, openIndex, type StoredExecution } from "./execution-record.ts";
import { type ExecutionKey, executionKey } from "./keys.ts";

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
