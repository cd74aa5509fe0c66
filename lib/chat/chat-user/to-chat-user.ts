import type { ChatUserItem } from "./items.ts";
import type { ChatUser } from "./schemas.ts";

/** The public shape of a stored chat user. */
export const toChatUser = (item: ChatUserItem): ChatUser => ({
  id: item.id,
  provider: item.provider,
  identifier: item.identifier,
  userName: item.userName,
  agentId: item.agentId,
  connectorId: item.connectorId,
  status: item.status,
  tenantId: item.tenantId,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});
