import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import type { Job } from "./job.ts";
import { readStatuses } from "./store.ts";
import { renewalMs } from "./times.ts";

/**
 * Polls until `over` whether a sub-agent's execution was cancelled; calls `onCancelled` once. Such an
 * execution has no lease whose renewal would detect it. A failed read is only logged.
 */
export const watchCancel = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { tenantId, item }: Job,
  over: AbortSignal,
  onCancelled: () => void,
): Promise<void> => {
  const execution = { agentId: item.agentId, executionId: item.id };
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const statuses = await readStatuses(db, tenantId, [execution]);
      if (over.aborted) return;
      if (statuses.get(item.id) === "Cancelled") return onCancelled();
    } catch (error) {
      log().warn("sub-agent could not be looked at", {
        executionId: item.id,
        error: asError(error),
      });
    }
  }
};
