import type { Approval } from "../../../client/openapi.ts";

/** Lists who may decide an approval: `ada@example.com, Owners and Editors of pay`. */
export const listApprovers = ({ agentId, approvers }: Approval): string => {
  const { users, roles, emails, chat } = approvers;
  const named = (roles ?? []).map((role) => `${role}s`).join(" and ");
  return [
    ...(users ?? []),
    ...(emails ?? []),
    ...(named === "" ? [] : [`${named} of ${agentId}`]),
    ...(chat ? [`the chat of ${chat.connectorId}`] : []),
  ].join(", ");
};
