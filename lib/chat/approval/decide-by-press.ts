import { decideApproval } from "../../approvals/decide-approval.ts";
import { shorten } from "../../approvals/describe-request.ts";
import { type ApprovalItem, getApproval } from "../../executions/approvals/approval-store.ts";
import { Problem } from "../../platform/http/problems.ts";
import { log } from "../../platform/runtime/log.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import { getChatUser } from "../chat-user/user-store.ts";
import { findOpenConnector } from "../connector/find-open-connector.ts";
import type { ConnectorItem } from "../connector/items.ts";
import type { PressApprovalMessage } from "../messages.ts";
import { claimNotice, getApprovalMessage } from "./message-store.ts";
import {
  type ApprovalChatDeps,
  type Channel,
  callUnlessRefused,
  openChannel,
} from "./open-channel.ts";
import { replacePressed, showApproval } from "./show-approval.ts";

const maxNameLength = 100;

/**
 * Decides an approval by a press of a button, with the rules of the API: only in the conversation that was asked, by a
 * user whom the connector admits. The message then shows how the approval is now; a user who may not decide gets one
 * notice in the conversation. Idempotent.
 */
export const decideByPress = async (
  deps: ApprovalChatDeps,
  { press, deadline }: { press: PressApprovalMessage; deadline: number },
): Promise<void> => {
  const { tenantId, approvalId, connectorId } = press;
  const [connector, item] = await Promise.all([
    findOpenConnector(deps.db, tenantId, connectorId),
    getApproval(deps.db, tenantId, approvalId),
  ]);
  if (!connector || !item) return;
  const stored = await getApprovalMessage(deps.db, { tenantId, connectorId, approvalId });
  if (!isAsked(item, press, stored?.posted.conversationId)) {
    return log("approval-press-ignored", { approvalId, connectorId });
  }
  const refusal = await decide(deps, { press, connector, item });
  await showApproval(deps, { tenantId, approvalId, deadline });
  const channel = await openChannel(deps, { tenantId, connector, deadline });
  const { message } = press;
  if (message && item.status !== "Pending") await replacePressed(channel, { item, message });
  if (refusal !== undefined) await notify(deps, channel, { press, item, text: refusal });
};

/** Returns whether a press came from the connector and the conversation that were asked. */
const isAsked = (
  { approvers: { chat } }: ApprovalItem,
  { connectorId, message }: PressApprovalMessage,
  posted: string | undefined,
): boolean => {
  if (chat?.connectorId !== connectorId || !message) return false;
  return [chat.conversationId, posted].includes(message.conversationId);
};

/** Decides; returns why the user may not. An approval that has ended is no reason: its message shows it. */
const decide = async (
  deps: ApprovalChatDeps,
  {
    press: { tenantId, organizationId, user, action },
    connector,
    item,
  }: { press: PressApprovalMessage; connector: ConnectorItem; item: ApprovalItem },
): Promise<string | undefined> => {
  const id = deriveChatUserId(connector.id, user.id);
  if (connector.policy === "RequireApproval") {
    const known = await getChatUser(deps.db, tenantId, connector.agentId, id);
    if (known?.status !== "Active") return "you have no access to this agent.";
  }
  const chosen = item.actions[action];
  if (!chosen) return undefined;
  const name = `${nameUser(user)} (${connector.provider} ${user.id})`;
  try {
    await decideApproval(deps, {
      tenant: { id: tenantId, organizationId },
      approvalId: item.id,
      decider: { type: "chat", id, name, connectorId: connector.id },
      body: { action: chosen.id },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { slug, members } = error;
    if (slug === "not-found") return undefined;
    if (slug === "conflict") {
      // Without the approval, others are changing it.
      if (!members.approval) throw error;
      const now = await getApproval(deps.db, tenantId, item.id);
      return now?.status === "Pending" ? error.message : undefined;
    }
    return slug === "validation-failed"
      ? "the decision needs values: open the link."
      : error.message;
  }
};

const nameUser = ({ id, name }: PressApprovalMessage["user"]): string =>
  shorten(name ?? id, maxNameLength);

/** Posts one notice for a user and an approval. Best effort. */
const notify = async (
  { db }: ApprovalChatDeps,
  channel: Channel,
  { press, item, text }: { press: PressApprovalMessage; item: ApprovalItem; text: string },
): Promise<void> => {
  const { provider, call } = channel;
  const { tenantId, connectorId, approvalId, user } = press;
  const { conversationId } = item.approvers.chat ?? {};
  if (conversationId === undefined || !provider.buttons) return;
  const ref = { tenantId, connectorId, approvalId };
  if (!(await claimNotice(db, ref, { userId: user.id, ttl: item.ttl }))) return;
  await callUnlessRefused(channel, approvalId, async () =>
    provider.buttons?.post(call, {
      conversationId,
      id: `msg_${approvalId}_notice_${user.id}`,
      text: `${nameUser(user)}: ${text}`,
      buttons: [],
    }),
  );
};
