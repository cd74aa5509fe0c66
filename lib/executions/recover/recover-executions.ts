import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import { log } from "../../platform/runtime/log.ts";
import { countOccurrence } from "../../platform/runtime/metrics.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { maxExecutionMs, requeueExecution, resendAfterMs } from "../lease/execution-lease.ts";
import { listRecoverable } from "../lease/list-open.ts";
import { removeQueuedBatch } from "../lease/queued-batch.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { queueWaiting } from "../record/waiting-store.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";

const atOnce = 20;
/** No function that began to write the executions of a batch runs after this time. */
const batchWritesMs = maxExecutionMs;

type RecoverDeps = { db: Database; send: Send; clock: Clock };

/**
 * Queues executions again after their lease expired or their message was lost, and waiting ones with an overdue wake-up:
 * their run ends what is over, sends the other wake-ups again, and waits again. Removes batches without open executions.
 * Safe to run concurrently.
 */
export const recoverExecutions = async (deps: RecoverDeps): Promise<number> => {
  const { db, clock } = deps;
  let recovered = 0;
  const underWay = new Set<Promise<void>>();
  for await (const { execution, emptyBatch } of listRecoverable(db, clock())) {
    const recover = async (): Promise<void> => {
      if (emptyBatch) {
        const isWritten = clock() > emptyBatch.createdAt + batchWritesMs;
        return isWritten ? removeQueuedBatch(db, emptyBatch.key) : undefined;
      }
      if (!(await requeue(deps, execution))) return;
      recovered += 1;
      // One to a message: an execution that terminates its worker must not terminate others.
      await enqueueExecutions(deps.send, toExecutionKey(execution.item).tenantId, [execution.item]);
    };
    const recovering: Promise<void> = recover().finally(() => underWay.delete(recovering));
    underWay.add(recovering);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return recovered;
};

/** Queues an execution that nothing else continues; returns false for another. */
const requeue = async (
  { db, clock }: RecoverDeps,
  { item, lease, dueAt }: StoredExecution,
): Promise<boolean> => {
  const key = toExecutionKey(item);
  if (item.status === "Waiting") {
    if (dueAt === undefined || dueAt > clock()) return false;
    if ((await queueWaiting(db, key, clock() + resendAfterMs(1))) !== "queued") return false;
    log("wake-up-lost", key);
    countOccurrence("WakeUpLost");
    return true;
  }
  if (!lease || lease.leaseUntil >= clock()) return false;
  const sends = lease.owner === null ? lease.sends : 0;
  return requeueExecution(db, key, lease, clock() + resendAfterMs(sends + 1));
};
