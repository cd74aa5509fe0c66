import { changeWhileHeld } from "../../platform/db/lease.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { type ExecutionRecord, leaseAttributes } from "../record/execution-record.ts";
import { type ExecutionKey, executionKey, toExecutionKey } from "../record/keys.ts";
import { leaseMembers } from "./execution-lease.ts";

/** Terms of a wait. `root`: the outermost caller; `reserved` and `spent`: US dollars; `now`: Unix milliseconds. */
type WaitingTerms = { root: ExecutionKey; now: number; reserved: number; spent: number };

/**
 * Builds the write that makes a record `Waiting`, without its lease and with the time that is left for its next runs. A
 * sub-agent's has no lease of its own.
 */
export const toWaiting = (
  { item, owner, endsBy }: { item: ExecutionRecord; owner: string | null; endsBy: number },
  { root, now, reserved, spent }: WaitingTerms,
): TransactionWrite => {
  const key = toExecutionKey(item);
  const left = Math.min(reserved, spent);
  if (owner === null) {
    const hasReserved = reserved > 0;
    return {
      Update: {
        Key: executionKey(key),
        UpdateExpression: `SET #status = :waiting, waitRoot = :root${hasReserved ? ", reserved = :left" : ""}`,
        ConditionExpression: `#status IN (:running, :waiting)${hasReserved ? " AND reserved = :reserved" : ""}`,
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: {
          ":waiting": "Waiting",
          ":running": "Running",
          ":root": { agentId: root.agentId, executionId: root.executionId },
          ...(hasReserved && { ":reserved": reserved, ":left": left }),
        },
      },
    };
  }
  // The next claim is the second, so that its run reads the finished steps.
  const kept = { claims: 1, limitMs: Math.max(1_000, endsBy - now) };
  return {
    Update: changeWhileHeld(leaseMembers(key), owner, {
      set: {
        status: "Waiting",
        hasWaited: true,
        ...kept,
        ...(reserved > 0 && { reserved: left }),
      },
      remove: leaseAttributes.filter((name) => !Object.hasOwn(kept, name)),
      expect: { status: "Running", ...(reserved > 0 && { reserved }) },
    }),
  };
};
