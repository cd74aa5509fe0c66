import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { whileConnectorExists } from "../connector/store.ts";
import { accessMessageKey, chatUserKey, chatUsersList, connectorChatUsersList } from "../keys.ts";
import { ChatUserItem } from "./items.ts";
import { deleteRequest } from "./request-writes.ts";

/** TENANT#t#AGENT#a / CHATUSER#id: one chat user. */
export const getChatUser = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  chatUserId: string,
): Promise<ChatUserItem | undefined> =>
  getItem(db, chatUserKey(tenantId, agentId, chatUserId), ChatUserItem);

/** TENANT#t#AGENT#a / CHATUSER#…: a page of an agent's chat users, by connector. */
export const listChatUsers = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  page: PageRequest,
) => listPage(db, ChatUserItem, { list: chatUsersList(tenantId, agentId) }, page);

/** TENANT#t#AGENT#a / CHATUSER#time…: every chat user of a connector. */
export async function* listConnectorChatUsers(
  db: Database,
  tenantId: TenantId,
  { agentId, connectorId }: { agentId: string; connectorId: string },
): AsyncGenerator<ChatUserItem> {
  const list = connectorChatUsersList(tenantId, agentId, connectorId);
  for await (const user of listAll(db, ChatUserItem, list)) {
    if (user.connectorId === connectorId) yield user;
  }
}

/** Transaction write: creates a chat user, or replaces `before` if it is unchanged. */
export const writeChatUser = (
  item: ChatUserItem,
  before: ChatUserItem | undefined,
): TransactionWrite => ({
  Put: { Item: asStored(item), ...(before ? unchanged(before) : ifNew) },
});

const asStored = (item: ChatUserItem) => ({
  ...listed(chatUserKey(item.tenantId, item.agentId, item.id)),
  ...item,
});

/** Condition that the status and the pending request are unchanged. */
const unchanged = ({ status, pendingRequestId }: ChatUserItem) => ({
  ConditionExpression: `#status = :status AND ${
    pendingRequestId === undefined
      ? "attribute_not_exists(pendingRequestId)"
      : "pendingRequestId = :pending"
  }`,
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: {
    ":status": status,
    ...(pendingRequestId !== undefined && { ":pending": pendingRequestId }),
  },
});

/** Creates a chat user while its connector exists; keeps an existing one. */
export const recordChatUser = async (db: Database, item: ChatUserItem): Promise<void> => {
  const { tenantId, connectorId } = item;
  await transact(db, [whileConnectorExists(tenantId, connectorId), writeChatUser(item, undefined)]);
};

/** Deletes a chat user with its pending request; "changed" when it changed since it was read. */
export const eraseChatUser = async (
  db: Database,
  user: ChatUserItem,
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, deleteUser(user));
  return outcome.written ? "written" : "changed";
};

/** Builds the writes that delete a chat user with its pending request, unless it changed since it was read. */
export const deleteUser = (user: ChatUserItem): TransactionWrite[] => {
  const { tenantId, agentId, id, pendingRequestId } = user;
  return [
    { Delete: { Key: chatUserKey(tenantId, agentId, id), ...unchanged(user) } },
    ...(pendingRequestId === undefined
      ? []
      : [
          ...deleteRequest({ tenantId, agentId, id: pendingRequestId, status: "Pending" }),
          { Delete: { Key: accessMessageKey(tenantId, agentId, pendingRequestId) } },
        ]),
  ];
};
