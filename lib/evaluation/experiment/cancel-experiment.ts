import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { ExperimentItem } from "./items.ts";
import { getExperiment, putCancelled } from "./store.ts";

const isOpen = ({ status }: ExperimentItem): boolean => status === "Queued" || status === "Running";

/**
 * Cancels an experiment: no more runs start, and its driver cancels those in progress, then makes the summary. Throws
 * 404, and 409 for one that has ended.
 */
export const cancelExperiment = (
  { db, clock }: { db: Database; clock: Clock },
  { tenantId, experimentId }: { tenantId: TenantId; experimentId: string },
): Promise<ExperimentItem> =>
  retryOnConflict(
    { error: () => conflict("The experiment is being changed by others. Try again.") },
    async () => {
      const item = await getExperiment(db, tenantId, experimentId);
      if (!item) throw notFound("experiment", experimentId);
      if (!isOpen(item)) throw conflict(`The experiment ${experimentId} has ended.`);
      return (await putCancelled(db, { tenantId, experimentId }, item, clock())) ?? "changed";
    },
  );
