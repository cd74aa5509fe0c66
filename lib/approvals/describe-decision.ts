import type { AuditRecord } from "../tenancy/audit/schemas.ts";
import type { DecideApprovalBody } from "./schemas.ts";

/** Describes a decision for its audit record, as that of `decide-approval`. */
export const describeDecision = (
  approvalId: string,
  body: DecideApprovalBody,
): Pick<AuditRecord, "action" | "resource" | "changes"> => ({
  action: "decideApproval",
  resource: { type: "Approval", id: approvalId },
  changes: Object.keys(body).toSorted(),
});
