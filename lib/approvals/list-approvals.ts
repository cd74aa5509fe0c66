import type { ApprovalItem } from "../executions/approvals/approval-item.ts";
import { listApprovals, listPendingApprovals } from "../executions/approvals/approval-store.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import { maxReadForPage } from "../platform/db/list-page.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import { parseUuidTime } from "../platform/runtime/runtime.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { createRolesReader, isApprover } from "./approvers.ts";
import type { Approval, ApprovalStatus } from "./schemas.ts";
import { toApproval } from "./to-approval.ts";

/** Filters of a list of approvals. `executionId`: the execution that waits, or its outermost caller. */
export type ApprovalFilter = {
  status?: ApprovalStatus | undefined;
  agentId?: string | undefined;
  executionId?: string | undefined;
};

/** An approval is not older than its execution, but for the difference of two clocks. */
const clockSkewMs = 60_000;

/**
 * Lists a tenant's approvals, newest first: all of them for a principal that reads executions, otherwise those it is an
 * approver of. A page of filtered items may have fewer items than its size, or none, and still have a next one.
 */
export const listReadableApprovals = async (
  db: Database,
  {
    tenantId,
    principal,
    filter,
  }: { tenantId: TenantId; principal: Principal; filter: ApprovalFilter },
  { size, skip }: PageRequest,
): Promise<Page<Approval>> => {
  const { status, executionId } = filter;
  const readRoles = createRolesReader(db, tenantId, principal);
  const readsAll = hasScope(principal, "executions:read");
  const since = executionId === undefined ? 0 : parseUuidTime(executionId) - clockSkewMs;
  const list = status === "Pending" ? listPendingApprovals : listApprovals;
  const items: Approval[] = [];
  let [read, bytes] = [0, 0];
  for await (const item of list(db, tenantId, { skip, since })) {
    const isFull = items.length === size || bytes > maxResponseBytes / 2 || read === maxReadForPage;
    if (isFull) return { items, nextPageToken: String(skip + read) };
    read += 1;
    if (!matches(item, filter)) continue;
    if (!readsAll && !(await isApprover(item, principal, readRoles))) continue;
    const approval = toApproval(item);
    bytes += responseBytes(approval);
    items.push(approval);
  }
  return { items, nextPageToken: null };
};

const matches = (item: ApprovalItem, { status, agentId, executionId }: ApprovalFilter): boolean =>
  (status === undefined || item.status === status) &&
  (agentId === undefined || item.agentId === agentId) &&
  (executionId === undefined ||
    item.executionId === executionId ||
    item.root.executionId === executionId);
