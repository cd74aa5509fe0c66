import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { AccessRequestItem } from "./items.ts";

/** Builds the event for a new access request. */
export const accessRequested = (
  organizationId: string,
  request: AccessRequestItem,
): OrganizationEvent => ({
  id: `chat.access_requested:${request.id}`,
  type: "chat.access_requested",
  occurredAt: request.createdAt,
  ...originOf(organizationId, request),
  data: chatUserOf(request),
});

/** Builds the event for a decided access request. */
export const accessDecided = (
  organizationId: string,
  request: AccessRequestItem,
): OrganizationEvent => ({
  id: `chat.access_decided:${request.id}`,
  type: "chat.access_decided",
  occurredAt: request.modifiedAt,
  ...originOf(organizationId, request),
  data: {
    ...chatUserOf(request),
    status: request.status,
    processedBy: request.processedBy,
    processingNote: request.processingNote,
  },
});

const originOf = (organizationId: string, { tenantId, agentId }: AccessRequestItem) => ({
  organizationId,
  tenantId,
  agentId,
});

const chatUserOf = (request: AccessRequestItem) => ({
  accessRequestId: request.id,
  connectorId: request.connectorId,
  provider: request.provider,
  identifier: request.identifier,
  userName: request.userName,
  conversationName: request.conversationName,
});
