import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { listOpenExecutions, requeueExecution, resendAfterMs } from "../lease/execution-lease.ts";
import { toExecutionKey } from "../record/keys.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";

const atOnce = 20;

/**
 * Queues executions again after their lease expired or their message was lost. Safe to run
 * concurrently.
 */
export const recoverExecutions = async ({
  db,
  send,
  clock,
}: {
  db: Database;
  send: Send;
  clock: Clock;
}): Promise<number> => {
  let recovered = 0;
  const underWay = new Set<Promise<void>>();
  for await (const { item, lease } of listOpenExecutions(db)) {
    if (lease.leaseUntil >= clock()) continue;
    const sends = lease.owner === null ? lease.sends : 0;
    const key = toExecutionKey(item);
    const recover = async (): Promise<void> => {
      const until = clock() + resendAfterMs(sends + 1);
      if (!(await requeueExecution(db, key, lease, until))) return;
      recovered += 1;
      // One to a message: an execution that terminates its worker must not terminate others.
      await enqueueExecutions(send, key.tenantId, [item]);
    };
    const recovering: Promise<void> = recover().finally(() => underWay.delete(recovering));
    underWay.add(recovering);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return recovered;
};
