import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { approverRoles } from "./approvers.ts";
import { findAddress } from "./find-address.ts";
import type { Approval } from "./schemas.ts";

/** Maps a stored approval to the public one. The address of a consent is shown to a `reader` who may give it. */
export const toApproval = (
  item: ApprovalItem,
  reader?: Pick<Principal, "type" | "id" | "scopes">,
): Approval => {
  const address = item.status === "Pending" && reader ? findAddress(item, reader) : undefined;
  const { users, roles, emails, chat } = item.approvers;
  return {
    id: item.id,
    kind: item.kind,
    agentId: item.agentId,
    agentRevision: item.agentRevision,
    executionId: item.executionId,
    stepId: item.stepId,
    title: item.title,
    message: item.message,
    data: item.data,
    fields: item.fields,
    actions: item.actions,
    toolId: item.toolId,
    arguments: item.arguments,
    connectionId: item.connectionId ?? null,
    authorizeUrl: address ?? null,
    minApprovals: item.minApprovals,
    status: item.status,
    createdAt: item.createdAt,
    expiresAt: item.expiresAt,
    decidedAt: item.decidedAt,
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
