import { cancelApprovals } from "../approvals/approval-store.ts";
import { removeEventWait } from "../checkpoints/event-wait-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionKey } from "../record/keys.ts";

/** Cancels the approvals, and removes the registrations of waits for events, of the open waits of an ended execution. */
export const closeWaits = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  { key: { tenantId, executionId }, open }: { key: ExecutionKey; open: readonly StoredWait[] },
): Promise<void> => {
  const approvalIds = open.flatMap(({ approvalId }) => approvalId ?? []);
  await cancelApprovals(db, tenantId, approvalIds, runtime.clock());
  await Promise.all(
    open.map(async ({ path, webhookId }) => {
      if (webhookId) await removeEventWait(db, tenantId, { webhookId, executionId, path });
    }),
  );
};
