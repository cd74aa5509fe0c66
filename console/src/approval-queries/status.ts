import type { ApprovalStatus } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** A status of approvals to filter by. */
export type ShownApprovalStatus = ApprovalStatus | "All";

/** Statuses of approvals to filter by. */
export const shownApprovalStatuses: readonly ShownApprovalStatus[] = [
  "Pending",
  "Decided",
  "TimedOut",
  "Cancelled",
  "All",
];

/** Kinds of the statuses of approvals. */
export const approvalKinds: Readonly<Record<ApprovalStatus, StatusKind>> = {
  Pending: "busy",
  Decided: "good",
  TimedOut: "bad",
  Cancelled: "idle",
};
