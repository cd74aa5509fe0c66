import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { waitMs } from "./driver.ts";
import { requestRun } from "./request-run.ts";
import { listOpenExperiments, releaseExperiment } from "./store.ts";

/** Frees experiments whose driver died or whose message was lost, and asks for them again. Safe to run concurrently. */
export const recoverExperiments = async ({
  db,
  send,
  clock,
}: {
  db: Database;
  send: Send;
  clock: Clock;
}): Promise<void> => {
  for await (const { tenantId, experiment } of listOpenExperiments(db)) {
    const { id, endedAt, worker, leaseUntil } = experiment;
    const now = clock();
    if (endedAt !== null || leaseUntil >= now) continue;
    const place = { tenantId, experimentId: id };
    const lease = { worker, leaseUntil };
    if (!(await releaseExperiment(db, place, lease, { leaseUntil: now + waitMs }))) continue;
    await requestRun(send, place);
  }
};
