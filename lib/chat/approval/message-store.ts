import { createHash } from "node:crypto";
import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import { PostedMessage } from "../../vendors/chat-message.ts";
import { approvalMessageKey, approvalNoticeKey, type ConversationPartition } from "../keys.ts";

/** The message of an approval, and the connector that posted it. */
export type MessageRef = { tenantId: TenantId; connectorId: string; approvalId: string };

const ApprovalMessageItem = z.object({
  posted: PostedMessage,
  /** The state of the approval that the message shows. */
  shown: z.string(),
});
export type ApprovalMessageItem = z.output<typeof ApprovalMessageItem>;

const toPartition = ({ tenantId, connectorId, approvalId }: MessageRef): ConversationPartition => ({
  tenantId,
  connectorId,
  shard: approvalId.slice(-1),
});

const toKey = (ref: MessageRef) => approvalMessageKey(toPartition(ref), ref.approvalId);

/** TENANT#t#CONNECTOR#c#shard / APPROVAL#id: reads where the message of an approval is; undefined before it was posted. */
export const getApprovalMessage = (
  db: Database,
  ref: MessageRef,
): Promise<ApprovalMessageItem | undefined> => getItem(db, toKey(ref), ApprovalMessageItem);

/**
 * Stores the message of an approval as it was posted, and returns the one that is stored: another worker may have posted
 * one before.
 * @param input `ttl`: Unix seconds
 */
export const putApprovalMessage = async (
  db: Database,
  ref: MessageRef,
  { ttl, ...message }: ApprovalMessageItem & { ttl: number },
): Promise<ApprovalMessageItem> => {
  const { written, item } = await putItem(db, {
    Item: { ...toKey(ref), ...message, ttl },
    ...ifNew,
  });
  return written ? message : ApprovalMessageItem.parse(item);
};

/** Stores the state that the message of an approval shows. */
export const saveShown = async (db: Database, ref: MessageRef, shown: string): Promise<void> => {
  await updateItem(db, patch(toKey(ref), { set: { shown } }));
};

/** Claims the one notice about an approval to a chat user; false when there was one. */
export const claimNotice = async (
  db: Database,
  ref: MessageRef,
  { userId, ttl }: { userId: string; ttl: number },
): Promise<boolean> => {
  const digest = createHash("sha256").update(userId).digest("hex");
  const key = approvalNoticeKey(toPartition(ref), ref.approvalId, digest);
  return (await putItem(db, { Item: { ...key, ttl }, ...ifNew })).written;
};
