import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { waitMs } from "./driver.ts";
import { requestRun } from "./request-run.ts";
import { changeExperiment, listOpenExperiments } from "./store.ts";

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
    const free = { worker: null, leaseUntil: now + waitMs };
    const expect = { worker, leaseUntil };
    if (!(await changeExperiment(db, tenantId, id, { set: free, expect }))) continue;
    await requestRun(send, { tenantId, experimentId: id });
  }
};
