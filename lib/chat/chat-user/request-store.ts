import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import { getTogether } from "../../platform/db/get-together.ts";
import {
  accessMessageKey,
  accessRequestKey,
  accessRequestsByStatusList,
  accessRequestsList,
  agentKey,
} from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import { whileConnectorLives } from "../connector/store.ts";
import { putApprovedMessage } from "./approved-store.ts";
import { AccessMessageItem, AccessRequestItem, type ChatUserItem } from "./items.ts";
import { decideRequest, putRequest } from "./request-writes.ts";
import type { AccessRequestStatus } from "./schemas.ts";
import { writeChatUser } from "./user-store.ts";

/** TENANT#t#AGENT#a / ACCESS#id: the access request whole. */
export const getAccessRequest = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  id: string,
): Promise<AccessRequestItem | undefined> => {
  const Key = accessRequestKey(tenantId, agentId, id);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && AccessRequestItem.parse(Item);
};

/** The access request with the message that made it, and whether its agent exists. */
export const getRequestToDecide = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  id: string,
): Promise<{
  agentExists: boolean;
  request: AccessRequestItem | undefined;
  message: string | undefined;
}> => {
  const { agent, request, message } = await getTogether(db, {
    agent: agentKey(tenantId, agentId),
    request: accessRequestKey(tenantId, agentId, id),
    message: accessMessageKey(tenantId, agentId, id),
  });
  return {
    agentExists: agent !== undefined,
    request: request && AccessRequestItem.parse(request),
    message: message && AccessMessageItem.parse(message).message,
  };
};

/** A page of an agent's access requests, newest first: all of them, or those of a status. */
export const listAccessRequests = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  status: AccessRequestStatus | undefined,
  page: PageRequest,
) => {
  const list = status
    ? accessRequestsByStatusList(tenantId, agentId, status)
    : accessRequestsList(tenantId, agentId);
  return listPage(db, AccessRequestItem, { list, newestFirst: true }, page);
};

/** A new access request, and all that comes with it. */
export type NewRequest = {
  request: AccessRequestItem;
  user: ChatUserItem;
  /** The user as it was read; undefined for a new one. */
  before: ChatUserItem | undefined;
  message: string | undefined;
  event: OrganizationEvent;
};

/**
 * Writes a new request, its user and the word of it, all or nothing; "changed" when the user is not as it was
 * read, "gone" when the connector is.
 */
export const putNewRequest = async (
  db: Database,
  { request, user, before, message, event }: NewRequest,
): Promise<"written" | "changed" | "gone"> => {
  const Key = accessMessageKey(request.tenantId, request.agentId, request.id);
  const outcome = await transact(db, [
    whileConnectorLives(request.tenantId, request.connectorId),
    writeChatUser(user, before),
    ...putRequest(request),
    ...(message === undefined ? [] : [{ Put: { Item: { ...Key, message } } }]),
    putInOutbox(event),
  ]);
  if (outcome.written) return "written";
  return outcome.failed[0] ? "gone" : "changed";
};

/** A decision, and all that comes with it. */
export type Decision = {
  request: AccessRequestItem;
  user: ChatUserItem;
  before: ChatUserItem;
  /** What is to be answered now; undefined for nothing. */
  answer: AnswerChatMessage | undefined;
  event: OrganizationEvent;
};

/** Writes a decision, its user and the word of it, all or nothing; "changed" when it was decided or deleted meanwhile. */
export const putDecision = async (
  db: Database,
  { request, user, before, answer, event }: Decision,
): Promise<"written" | "changed"> => {
  const { tenantId, agentId, id } = request;
  const outcome = await transact(db, [
    ...decideRequest(request),
    writeChatUser(user, before),
    { Delete: { Key: accessMessageKey(tenantId, agentId, id) } },
    ...(answer ? [putApprovedMessage(answer, request.modifiedAt)] : []),
    putInOutbox(event),
    {
      ConditionCheck: {
        Key: agentKey(tenantId, agentId),
        ConditionExpression: "attribute_exists(pk)",
      },
    },
  ]);
  return outcome.written ? "written" : "changed";
};
