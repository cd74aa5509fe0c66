import { type ApprovalItem, getApproval } from "../../executions/approvals/approval-store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { log } from "../../platform/runtime/log.ts";
import type { PostedMessage } from "../../vendors/chat-message.ts";
import { findOpenConnector } from "../connector/find-open-connector.ts";
import { composeEnd, composeRequest } from "./compose-message.ts";
import {
  type ApprovalMessageItem,
  getApprovalMessage,
  type MessageRef,
  putApprovalMessage,
  saveShown,
} from "./message-store.ts";
import {
  type ApprovalChatDeps,
  type Channel,
  callUnlessRefused,
  openChannel,
} from "./open-channel.ts";

/** An approval that a chat shows. `deadline`: when the function times out, Unix milliseconds. */
type ShownApproval = { tenantId: TenantId; approvalId: string; deadline: number };

/**
 * Posts the message of an approval into its chat, or replaces it by how the approval is now. Idempotent, and the last call
 * shows the last state, in any order of the calls: one that ended before its message was posted gets none. Logs what the
 * provider refuses; throws when a retry may succeed.
 */
export const showApproval = async (
  deps: ApprovalChatDeps,
  { tenantId, approvalId, deadline }: ShownApproval,
): Promise<void> => {
  const approval = await getApproval(deps.db, tenantId, approvalId);
  const { chat } = approval?.approvers ?? {};
  if (!approval || !chat) return;
  const { connectorId } = chat;
  const connector = await findOpenConnector(deps.db, tenantId, connectorId);
  if (!connector) return log("approval-not-shown", { approvalId, connectorId });
  const channel = await openChannel(deps, { tenantId, connector, deadline });
  const ref = { tenantId, connectorId, approvalId };
  const known = await getApprovalMessage(deps.db, ref);
  if (known) return replace(deps, channel, { ref, message: known, item: approval });
  if (approval.status !== "Pending") return;
  const message = await post(deps, channel, { ref, item: approval, to: chat.conversationId });
  // It may have ended since it was read.
  const item = message && (await getApproval(deps.db, tenantId, approvalId));
  if (item) await replace(deps, channel, { ref, message, item });
};

/**
 * Replaces the message of an approval that had ended when a button below it was pressed. It may not be the stored one,
 * where a function crashed before it stored it.
 */
export const replacePressed = async (
  channel: Channel,
  { item, message }: { item: ApprovalItem; message: PostedMessage },
): Promise<void> => {
  const { buttons } = channel.provider;
  await callUnlessRefused(channel, item.id, async () =>
    buttons?.replace(channel.call, message, composeEnd(item)),
  );
};

/** The state of an approval, as far as its message shows it. */
const describeState = ({ status, decisions }: ApprovalItem): string =>
  `${status} ${decisions.length}`;

const post = async (
  deps: ApprovalChatDeps,
  channel: Channel,
  { ref, item, to: conversationId }: { ref: MessageRef; item: ApprovalItem; to: string },
): Promise<ApprovalMessageItem | undefined> => {
  const { provider, call } = channel;
  const content = await composeRequest(deps, { channel, tenantId: ref.tenantId, item });
  const id = `msg_${item.id}`;
  const posted = await callUnlessRefused(channel, item.id, async () => {
    if (provider.buttons) return provider.buttons.post(call, { ...content, conversationId, id });
    await provider.postText?.(call, { text: content.text, conversationId, id });
    return { conversationId, reference: {} };
  });
  if (!posted) return undefined;
  const { ttl } = item;
  return putApprovalMessage(deps.db, ref, { posted, shown: describeState(item), ttl });
};

const replace = async (
  deps: ApprovalChatDeps,
  channel: Channel,
  { ref, message, item }: { ref: MessageRef; message: ApprovalMessageItem; item: ApprovalItem },
): Promise<void> => {
  const { provider, call } = channel;
  const shown = describeState(item);
  if (shown === message.shown) return;
  const isPending = item.status === "Pending";
  const content = isPending
    ? await composeRequest(deps, { channel, tenantId: ref.tenantId, item })
    : composeEnd(item);
  const { posted } = message;
  await callUnlessRefused(channel, item.id, async () => {
    if (provider.buttons) return provider.buttons.replace(call, posted, content);
    // A provider without buttons cannot change a message: a second one follows.
    if (isPending) return;
    const { conversationId } = posted;
    await provider.postText?.(call, {
      text: content.text,
      conversationId,
      id: `msg_${item.id}_ended`,
    });
  });
  await saveShown(deps.db, ref, shown);
};
