import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { deriveChatUserId } from "./id.ts";
import type { Incoming } from "./incoming.ts";
import type { AccessRequestItem, ChatUserItem } from "./items.ts";
import { clip, messageMark } from "./kept-message.ts";

/** Limits on text from providers, in UTF-16 units. */
const maxIdentifierLength = 512;
const maxNameLength = 200;

const clipNullableName = (name: string | null): string | null => name && clip(name, maxNameLength);

/** Builds a new chat user from the sender of a message. */
export const newChatUser = (
  { tenant, connector, message: { user } }: Incoming,
  status: ChatUserItem["status"],
  now: number,
): ChatUserItem => ({
  id: deriveChatUserId(connector.id, user.id),
  provider: connector.provider,
  identifier: clip(user.id, maxIdentifierLength),
  userName: clipNullableName(user.name),
  agentId: connector.agentId,
  connectorId: connector.id,
  status,
  tenantId: tenant.id,
  createdAt: now,
  modifiedAt: now,
});

/** Builds the access request that a message creates and its user, who now waits for the decision. */
export const newAccessRequest = (
  incoming: Incoming,
  before: ChatUserItem | undefined,
  runtime: Runtime,
): { request: AccessRequestItem; user: ChatUserItem } => {
  const now = runtime.clock();
  const newUser = newChatUser(incoming, "Onboarding", now);
  const request: AccessRequestItem = {
    id: newUuid(runtime),
    provider: newUser.provider,
    identifier: newUser.identifier,
    userName: newUser.userName,
    agentId: newUser.agentId,
    connectorId: newUser.connectorId,
    conversationName: clipNullableName(incoming.message.conversation.name),
    status: "Pending",
    processedBy: null,
    processedAt: null,
    processingNote: null,
    tenantId: newUser.tenantId,
    createdAt: now,
    modifiedAt: now,
    chatUserId: newUser.id,
  };
  const user: ChatUserItem = {
    ...newUser,
    createdAt: before?.createdAt ?? now,
    pendingRequestId: request.id,
    askedBy: messageMark(incoming.message),
  };
  return { request, user };
};
