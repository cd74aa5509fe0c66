import type { TenantId } from "../../platform/db/tenant-id.ts";
import { cancelApprovals } from "../approvals/approval-store.ts";
import { removeEventWait } from "../checkpoints/event-wait-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";

/** Cancels the approvals, and removes the registrations of waits for events, of the open waits of an ended execution. */
export const closeWaits = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  { tenantId, executionId }: { tenantId: TenantId; executionId: string },
  open: readonly StoredWait[],
): Promise<void> => {
  const approvalIds = open.flatMap(({ approvalId }) => approvalId ?? []);
  await cancelApprovals(db, tenantId, approvalIds, runtime.clock());
  await Promise.all(
    open.map(async ({ path, webhookId }) => {
      if (webhookId) await removeEventWait(db, tenantId, { webhookId, executionId, path });
    }),
  );
};
