import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import { getOpen, renewOpen } from "./open-store.ts";
import { leaseMs, renewalMs } from "./times.ts";

/**
 * Renews the lease of a run until `over`. Calls `onStop` once when the run must stop because it was cancelled
 * or another run holds the execution. A failed renewal is only logged: ending the execution checks the owner
 * again.
 */
export const keepLease = async (
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  { executionId, owner }: { executionId: string; owner: string },
  over: AbortSignal,
  onStop: (reason: "cancelled" | "lost") => void,
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      if (await renewOpen(db, executionId, owner, runtime.clock() + leaseMs)) continue;
      if (over.aborted) return;
      const open = await getOpen(db, executionId);
      return onStop(open?.owner === owner && open.cancelled ? "cancelled" : "lost");
    } catch (error) {
      log().warn("lease could not be renewed", { executionId, error: asError(error) });
    }
  }
};
