import { changeWhileHeld } from "../../platform/db/lease.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { type ExecutionRecord, leaseAttributes, waitingIndex } from "../record/execution-record.ts";
import { type ExecutionKey, executionKey, toExecutionKey } from "../record/keys.ts";
import { leaseMembers } from "./execution-lease.ts";

/** Time after the end of a wait in which its wake-up arrives; then recovery continues its execution. */
const overdueMs = 10 * 60_000;

/**
 * Terms of a wait. `root`: the outermost caller; `reserved` and `spent`: US dollars; `now`, and `firstEnd`, when the first of
 * its waits ends at the latest: Unix milliseconds.
 */
type WaitingTerms = {
  root: ExecutionKey;
  now: number;
  reserved: number;
  spent: number;
  firstEnd: number;
};

/**
 * Builds the write that makes a record `Waiting`, without its lease and with the time that is left for its next runs. Recovery
 * finds it once a wake-up is overdue. Its condition fails when a wait was answered since the run has read its waits. A
 * sub-agent's has no lease of its own.
 */
export const toWaiting = (
  { item, owner, endsBy }: { item: ExecutionRecord; owner: string | null; endsBy: number },
  { root, now, reserved, spent, firstEnd }: WaitingTerms,
): TransactionWrite => {
  const key = toExecutionKey(item);
  const left = Math.min(reserved, spent);
  if (owner === null) {
    const hasReserved = reserved > 0;
    return {
      Update: {
        Key: executionKey(key),
        UpdateExpression: `SET #status = :waiting, waitRoot = :root${hasReserved ? ", reserved = :left" : ""} ADD waits :one`,
        ConditionExpression: `#status IN (:running, :waiting)${hasReserved ? " AND reserved = :reserved" : ""}`,
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: {
          ":waiting": "Waiting",
          ":running": "Running",
          ":one": 1,
          ":root": { agentId: root.agentId, executionId: root.executionId },
          ...(hasReserved && { ":reserved": reserved, ":left": left }),
        },
      },
    };
  }
  // The next claim is the second, so that its run reads the finished steps.
  const kept = {
    claims: 1,
    limitMs: Math.max(1_000, endsBy - now),
    ...waitingIndex(item.id, Math.max(firstEnd, now) + overdueMs),
  };
  return {
    Update: changeWhileHeld(leaseMembers(key), owner, {
      set: {
        status: "Waiting",
        hasWaited: true,
        ...kept,
        ...(reserved > 0 && { reserved: left }),
      },
      add: { waits: 1 },
      remove: leaseAttributes.filter((name) => !Object.hasOwn(kept, name)),
      expect: { status: "Running", answers: item.answers, ...(reserved > 0 && { reserved }) },
    }),
  };
};

/** Builds the condition that a run holds an execution, which is not cancelled. */
export const ifHeld = (key: ExecutionKey, owner: string): TransactionWrite => ({
  ConditionCheck: {
    Key: executionKey(key),
    ConditionExpression: "#owner = :owner AND #status = :running",
    ExpressionAttributeNames: { "#owner": "owner", "#status": "status" },
    ExpressionAttributeValues: { ":owner": owner, ":running": "Running" },
  },
});
