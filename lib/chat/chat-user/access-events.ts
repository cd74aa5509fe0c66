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
  ...toEventOrigin(organizationId, request),
  data: toChatUserData(request),
});

/** Builds the event for a decided access request. */
export const accessDecided = (
  organizationId: string,
  request: AccessRequestItem,
): OrganizationEvent => ({
  id: `chat.access_decided:${request.id}`,
  type: "chat.access_decided",
  occurredAt: request.modifiedAt,
  ...toEventOrigin(organizationId, request),
  data: {
    ...toChatUserData(request),
    status: request.status,
    processedBy: request.processedBy,
    processingNote: request.processingNote,
  },
});

const toEventOrigin = (organizationId: string, { tenantId, agentId }: AccessRequestItem) => ({
  organizationId,
  tenantId,
  agentId,
});

const toChatUserData = (request: AccessRequestItem) => ({
  accessRequestId: request.id,
  connectorId: request.connectorId,
  provider: request.provider,
  identifier: request.identifier,
  userName: request.userName,
  conversationName: request.conversationName,
});
