import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import { getOpen, renewOpen } from "./open-store.ts";
import type { StopReason } from "./run-context.ts";
import { leaseMs, renewalMs } from "./times.ts";

/**
 * Renews the lease of a run until `over`. Aborts `stop` when the execution was cancelled or another run holds
 * it. A failed renewal is only logged: ending the execution checks the owner again.
 */
export const keepLease = async (
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  { executionId, owner }: { executionId: string; owner: string },
  over: AbortSignal,
  stop: AbortController,
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      if (await renewOpen(db, executionId, owner, runtime.clock() + leaseMs)) continue;
      if (over.aborted) return;
      const open = await getOpen(db, executionId);
      const isCancelled = open?.owner === owner && open.cancelled;
      return stop.abort((isCancelled ? "cancelled" : "lost") satisfies StopReason);
    } catch (error) {
      log().warn("lease could not be renewed", { executionId, error: asError(error) });
    }
  }
};
