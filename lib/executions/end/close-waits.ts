import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import { removeEventWait } from "../checkpoints/event-wait-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionKey } from "../record/keys.ts";

/** Cancels the approvals, and removes the registrations of waits for events, of the open waits of an ended execution. */
export const closeWaits = async (
  deps: Pick<ExecutionDeps, "db" | "runtime" | "send">,
  { key: { tenantId, executionId }, open }: { key: ExecutionKey; open: readonly StoredWait[] },
): Promise<void> => {
  const approvalIds = open.flatMap(({ approvalId }) => approvalId ?? []);
  await cancelApprovals(deps, { tenantId, approvalIds, now: deps.runtime.clock() });
  await Promise.all(
    open.map(async ({ path, webhookId }) => {
      if (webhookId) await removeEventWait(deps.db, tenantId, { webhookId, executionId, path });
    }),
  );
};
