import { type ApprovalItem, getApproval } from "../executions/approvals/approval-store.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { insufficientScope, notFound } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { createRolesReader, isApprover } from "./approvers.ts";

/**
 * Reads an approval for a principal that reads executions, or is an approver. Throws 404, and 403 for others, also when it
 * does not exist.
 */
export const readApproval = async (
  db: Database,
  {
    tenantId,
    principal,
    approvalId,
  }: { tenantId: TenantId; principal: Principal; approvalId: string },
): Promise<ApprovalItem> => {
  const item = await getApproval(db, tenantId, approvalId);
  if (!hasScope(principal, "executions:read")) {
    const readRoles = createRolesReader(db, tenantId, principal);
    const isOwn = item !== undefined && (await isApprover(item, principal, readRoles));
    if (!isOwn) throw insufficientScope("executions:read");
  }
  if (!item) throw notFound("approval", approvalId);
  return item;
};
