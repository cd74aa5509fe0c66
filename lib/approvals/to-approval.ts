import type { ApprovalItem } from "../executions/approvals/approval-item.ts";
import { approverRoles } from "./approvers.ts";
import type { Approval } from "./schemas.ts";

/** Maps a stored approval to the public one. */
export const toApproval = (item: ApprovalItem): Approval => {
  const { users, roles, emails, chat } = item.approvers;
  return {
    ...item,
    approvers: {
      users: users ? [...users] : null,
      roles: roles ? [...roles] : approverRoles(item.approvers),
      emails: emails ? [...emails] : null,
      chat: chat ?? null,
    },
    decisions: item.decisions.map(({ action, fields, comment, decidedBy, decidedAt }) => ({
      action,
      fields,
      comment,
      decidedBy,
      decidedAt,
    })),
  };
};
