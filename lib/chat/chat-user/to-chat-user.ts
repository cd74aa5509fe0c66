import type { ChatUserItem } from "./items.ts";
import type { ChatUser } from "./schemas.ts";

/** Maps a stored chat user to its response. */
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
