import type { Approval } from "../../../client/openapi.ts";
import { showDuration } from "../../amounts.ts";

/** Shows how long an approval has waited, or did. */
export const showWaited = ({ createdAt, decidedAt }: Approval): string =>
  showDuration(Math.max(0, (decidedAt ?? Date.now()) - createdAt));

/** Shows who may decide: `ada@example.com, Owner, Editor`. */
export const showApprovers = ({ approvers }: Approval): string => {
  const { users, roles, emails, chat } = approvers;
  return [
    ...(users ?? []),
    ...(emails ?? []),
    ...(roles ?? []),
    ...(chat ? [`the chat of ${chat.connectorId}`] : []),
  ].join(", ");
};
