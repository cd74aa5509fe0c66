import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { Incoming } from "./admit-message.ts";
import { chatUserIdOf } from "./id.ts";
import type { AccessRequestItem, ChatUserItem } from "./items.ts";
import { clip, messageMark } from "./kept-message.ts";

/** What is shown of a user is bounded, whatever a provider sends. */
const longestIdentifier = 512;
const longestName = 200;

const nameOf = (name: string | null): string | null => name && clip(name, longestName);

/** The chat user who wrote a message, as nobody knows them yet. */
export const newChatUser = (
  { tenant, connector, message: { user } }: Incoming,
  status: ChatUserItem["status"],
  now: number,
): ChatUserItem => ({
  id: chatUserIdOf(connector.id, user.id),
  provider: connector.provider,
  identifier: clip(user.id, longestIdentifier),
  userName: nameOf(user.name),
  agentId: connector.agentId,
  connectorId: connector.id,
  status,
  tenantId: tenant.id,
  createdAt: now,
  modifiedAt: now,
});

/** The request that a message makes, and its user, who waits for the decision from then on. */
export const newAccessRequest = (
  incoming: Incoming,
  before: ChatUserItem | undefined,
  runtime: Runtime,
): { request: AccessRequestItem; user: ChatUserItem } => {
  const now = runtime.clock();
  const written = newChatUser(incoming, "Onboarding", now);
  const request: AccessRequestItem = {
    id: newUuid(runtime),
    provider: written.provider,
    identifier: written.identifier,
    userName: written.userName,
    agentId: written.agentId,
    connectorId: written.connectorId,
    conversationName: nameOf(incoming.message.conversation.name),
    status: "Pending",
    processedBy: null,
    processedAt: null,
    processingNote: null,
    tenantId: written.tenantId,
    createdAt: now,
    modifiedAt: now,
    chatUserId: written.id,
  };
  const user: ChatUserItem = {
    ...written,
    createdAt: before?.createdAt ?? now,
    pendingRequestId: request.id,
    askedBy: messageMark(incoming.message),
  };
  return { request, user };
};
