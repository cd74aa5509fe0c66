import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import type { ExecutionKey } from "./keys.ts";
import { renewLease } from "./lease-store.ts";
import type { StopReason } from "./run-context.ts";
import { leaseMs, renewalMs } from "./times.ts";

/**
 * Renews the lease of a run until `over`. Aborts `stop` when the execution was cancelled or another run holds
 * it. A failed renewal is only logged: ending the execution checks the owner again.
 */
export const keepLease = async (
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  { owner, ...place }: ExecutionKey & { owner: string },
  over: AbortSignal,
  stop: AbortController,
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const outcome = await renewLease(db, place, owner, runtime.clock() + leaseMs);
      if (outcome === "renewed") continue;
      if (over.aborted) return;
      return stop.abort(outcome satisfies StopReason);
    } catch (error) {
      log().warn("lease could not be renewed", { ...place, error: asError(error) });
    }
  }
};
