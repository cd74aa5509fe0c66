import { checkExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { whileConnectorExists } from "../connector/store.ts";
import {
  accessMessageKey,
  accessRequestKey,
  accessRequestsByStatusList,
  accessRequestsList,
} from "../keys.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { putApprovedMessage } from "./approved-store.ts";
import { AccessMessageItem, AccessRequestItem, type ChatUserItem } from "./items.ts";
import { decideRequest, putRequest } from "./request-writes.ts";
import type { AccessRequestStatus } from "./schemas.ts";
import { writeChatUser } from "./user-store.ts";

/** TENANT#t#AGENT#a / ACCESS#id: one access request. */
export const getAccessRequest = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  id: string,
): Promise<AccessRequestItem | undefined> =>
  getItem(db, accessRequestKey(tenantId, agentId, id), AccessRequestItem);

/** Returns an access request with the message that created it, and whether its agent exists. */
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
  const { agent, request, message } = await getNamedItems(db, {
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

/** Lists an agent's access requests, newest first, optionally by status. */
export const listAccessRequests = (
  db: Database,
  tenantId: TenantId,
  { agentId, status }: { agentId: string; status?: AccessRequestStatus | undefined },
  page: PageRequest,
) => {
  const list = status
    ? accessRequestsByStatusList(tenantId, agentId, status)
    : accessRequestsList(tenantId, agentId);
  return listPage(db, AccessRequestItem, { list, newestFirst: true }, page);
};

/** The items written with a new access request. */
export type NewRequest = {
  request: AccessRequestItem;
  user: ChatUserItem;
  /** The user as read; undefined for a new one. */
  before: ChatUserItem | undefined;
  message: string | undefined;
  event: OrganizationEvent;
};

/**
 * Writes a new request with its user and event in one transaction; "changed" when the user changed since it was
 * read, "gone" when the connector was deleted.
 */
export const putNewRequest = async (
  db: Database,
  { request, user, before, message, event }: NewRequest,
): Promise<"written" | "changed" | "gone"> => {
  const Key = accessMessageKey(request.tenantId, request.agentId, request.id);
  const outcome = await transact(db, [
    whileConnectorExists(request.tenantId, request.connectorId),
    writeChatUser(user, before),
    ...putRequest(request),
    ...(message === undefined ? [] : [{ Put: { Item: { ...Key, message } } }]),
    putInOutbox(event),
  ]);
  if (outcome.written) return "written";
  return outcome.failed[0] ? "gone" : "changed";
};

/** The items written with a decision. */
export type Decision = {
  request: AccessRequestItem;
  user: ChatUserItem;
  before: ChatUserItem;
  /** The message to reply to after an approval; undefined for none. */
  approved: ReplyToChatMessage | undefined;
  event: OrganizationEvent;
};

/**
 * Writes a decision with its user and event in one transaction; "changed" when the request was decided or deleted
 * since it was read.
 */
export const putDecision = async (
  db: Database,
  { request, user, before, approved, event }: Decision,
): Promise<"written" | "changed"> => {
  const { tenantId, agentId, id } = request;
  const outcome = await transact(db, [
    ...decideRequest(request),
    writeChatUser(user, before),
    { Delete: { Key: accessMessageKey(tenantId, agentId, id) } },
    ...(approved ? [putApprovedMessage(approved, request.modifiedAt)] : []),
    putInOutbox(event),
    checkExists(agentKey(tenantId, agentId)),
  ]);
  return outcome.written ? "written" : "changed";
};
