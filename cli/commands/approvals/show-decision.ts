import type { ApprovalDecision } from "../../../client/openapi.ts";

/** Shows a decision: the action, and who chose it. */
export const showDecision = ({ action, decidedBy }: ApprovalDecision): string =>
  `${action} by ${decidedBy}`;
