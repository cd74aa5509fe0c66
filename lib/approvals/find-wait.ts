import {
  type ApprovalItem,
  getApproval,
  listPendingApprovals,
} from "../executions/approvals/approval-store.ts";
import { listOpenWaits } from "../executions/checkpoints/wait-store.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import type { Database } from "../platform/db/database.ts";

/** Pending approvals of others that a search looks at. */
const maxLookedAt = 200;
/** Approvals of a task that are read. */
const maxRead = 25;
/** An approval is not older than its execution, but for the difference of two clocks. */
const clockSkewMs = 60_000;

/** Waits of an execution: its pending approvals, and when the first of its own waits ends, Unix milliseconds. */
export type FoundWait = { approvals: readonly ApprovalItem[]; until: number | undefined };

/**
 * Finds what a waiting execution waits for: its own approvals, or else those of its sub-agents, which a search of the tenant's
 * pending ones finds.
 */
export const findWait = async (
  db: Database,
  {
    execution: { item },
    now,
    ownOnly = false,
  }: { execution: Pick<StoredExecution, "item">; now: number; ownOnly?: boolean },
): Promise<FoundWait> => {
  const key = toExecutionKey(item);
  const waits = await listOpenWaits(db, key, now);
  const ids = waits.flatMap(({ approvalId }) => approvalId ?? []).slice(0, maxRead);
  const own = await Promise.all(ids.map((id) => getApproval(db, key.tenantId, id)));
  const pending = own.flatMap((found) => (found?.status === "Pending" ? [found] : []));
  const [first] = waits;
  const until = first?.until;
  if (pending.length > 0 || ownOnly) return { approvals: pending, until };
  const found: ApprovalItem[] = [];
  let lookedAt = 0;
  const since = item.startTime - clockSkewMs;
  for await (const approval of listPendingApprovals(db, key.tenantId, { since })) {
    lookedAt += 1;
    const isOwn = approval.root.executionId === item.id && approval.status === "Pending";
    if (isOwn) found.push(approval);
    if (lookedAt === maxLookedAt || found.length === maxRead) break;
  }
  return { approvals: found, until };
};
