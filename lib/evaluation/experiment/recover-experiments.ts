import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { requestRun } from "./request-run.ts";
import { listOpenExperiments } from "./store.ts";

/** Asks again for experiments whose driver died or whose message was lost. Safe to run concurrently. */
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
    if (experiment.endedAt !== null || experiment.leaseUntil >= clock()) continue;
    await requestRun(send, { tenantId, experimentId: experiment.id });
  }
};
