import {
  agentPartition,
  type Key,
  type ListKey,
  shards,
  tenantPartition,
} from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

/** A connector by its id, without its agent's. */
export const connectorKey = (tenantId: TenantId, connectorId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `CONNECTOR#${connectorId}`,
});

/** Tombstone: exists until the records of a deleted connector are removed. */
export const deletedConnectorKey = (tenantId: TenantId, connectorId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#CONNECTOR#${connectorId}`,
});

/** Copy of a connector in its agent's list. Ids are version 7 UUIDs: keys sort by time. */
export const agentConnectorKey = (
  tenantId: TenantId,
  agentId: string,
  connectorId: string,
): Key => ({ pk: agentPartition(tenantId, agentId), sk: `CONNECTOR#${connectorId}` });

export const agentConnectorsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "CONNECTOR#",
});

/** Ids start with the time of the connector, so that a connector's users are adjacent. */
export const chatUserKey = (tenantId: TenantId, agentId: string, chatUserId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CHATUSER#${chatUserId}`,
});

export const chatUsersList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "CHATUSER#",
});

/** Chat users of a connector, and of others that were created in the same millisecond. */
export const connectorChatUsersList = (
  tenantId: TenantId,
  agentId: string,
  connectorId: string,
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: `CHATUSER#${connectorId.slice(0, "01234567-89ab-".length)}`,
});

/** Ids are version 7 UUIDs: keys sort by time. */
export const accessRequestKey = (tenantId: TenantId, agentId: string, id: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ACCESS#${id}`,
});

export const accessRequestsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "ACCESS#",
});

/** Copy of an access request in the list of its status. */
export const accessRequestByStatusKey = (
  tenantId: TenantId,
  agentId: string,
  status: string,
  id: string,
): Key => ({ pk: agentPartition(tenantId, agentId), sk: `ACCESSIN#${status}#${id}` });

export const accessRequestsByStatusList = (
  tenantId: TenantId,
  agentId: string,
  status: string,
): ListKey => ({ pk: agentPartition(tenantId, agentId), prefix: `ACCESSIN#${status}#` });

/** The message that created an access request, while the request is pending. */
export const accessMessageKey = (tenantId: TenantId, agentId: string, id: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ACCESSMESSAGE#${id}`,
});

/** The message of an approved request until it is queued; one partition for all tenants, since approvals are rare. */
export const approvedMessageKey = (accessRequestId: string): Key => ({
  pk: "APPROVED",
  sk: `ACCESS#${accessRequestId}`,
});

export const approvedMessagesList: ListKey = { pk: "APPROVED", prefix: "ACCESS#" };

/** A conversation's partition: one of 16 of its connector. */
export type ConversationPartition = { tenantId: TenantId; connectorId: string; shard: string };

const conversationPartition = ({ tenantId, connectorId, shard }: ConversationPartition): string =>
  `TENANT#${tenantId}#CONNECTOR#${connectorId}#${shard}`;

/** All items of a connector's conversations. */
export const conversationsLists = (tenantId: TenantId, connectorId: string): ListKey[] =>
  shards.map((shard) => ({
    pk: conversationPartition({ tenantId, connectorId, shard }),
    prefix: "",
  }));

/** Progress of replying to a chat message; `digest` is of the provider's message id. */
export const chatReplyKey = (partition: ConversationPartition, digest: string): Key => ({
  pk: conversationPartition(partition),
  sk: `REPLY#${digest}`,
});

/** A message until its execution, which waits, has ended. */
export const waitingMessageKey = (partition: ConversationPartition, executionId: string): Key => ({
  pk: conversationPartition(partition),
  sk: `WAITING#${executionId}`,
});

/** The message of an approval in a conversation. */
export const approvalMessageKey = (partition: ConversationPartition, approvalId: string): Key => ({
  pk: conversationPartition(partition),
  sk: `APPROVAL#${approvalId}`,
});

/** Notice to a chat user who may not decide an approval; `digest` is of the user's id. */
export const approvalNoticeKey = (
  partition: ConversationPartition,
  approvalId: string,
  digest: string,
): Key => ({ pk: conversationPartition(partition), sk: `APPROVAL#${approvalId}#NOTICE#${digest}` });
