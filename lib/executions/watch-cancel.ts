import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import type { Job } from "./job.ts";
import { toExecutionKey } from "./read-execution.ts";
import { readStatuses } from "./store.ts";
import { renewalMs } from "./times.ts";

/**
 * Polls until `over` whether a sub-agent's execution was cancelled, and then aborts `cancelled`. Such an
 * execution has no lease whose renewal would detect it. A failed read is only logged.
 */
export const watchCancel = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { item }: Job,
  over: AbortSignal,
  cancelled: AbortController,
): Promise<void> => {
  const place = toExecutionKey(item);
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const statuses = await readStatuses(db, [place]);
      if (over.aborted) return;
      if (statuses.get(item.id) === "Cancelled") return cancelled.abort();
    } catch (error) {
      log().warn("status of a sub-agent could not be read", {
        executionId: item.id,
        error: asError(error),
      });
    }
  }
};
