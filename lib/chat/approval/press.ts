import { isUuid } from "../../platform/http/ids.ts";
import type { ButtonPress } from "../../vendors/chat-provider.ts";

/** A press of a button below the message of an approval. `action`: index of the approval's action. */
export type ApprovalPress = { approvalId: string; action: number };

const kind = "approval";

/** Returns the data of a button that chooses an action; at most 64 bytes. */
export const buildPressData = ({ approvalId, action }: ApprovalPress): string =>
  `${kind}:${action}:${approvalId}`;

/** Reads the press of an approval's button; undefined for that of another button. */
export const readApprovalPress = ({
  data,
}: Pick<ButtonPress, "data">): ApprovalPress | undefined => {
  const [, action, approvalId = ""] = /^approval:(\d):([0-9a-f-]{36})$/i.exec(data) ?? [];
  if (action === undefined || !isUuid(approvalId)) return undefined;
  return { approvalId: approvalId.toLowerCase(), action: Number(action) };
};
