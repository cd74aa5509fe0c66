import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { AccessRequestItem } from "./items.ts";

/** Tells that a chat user asks to be let in. */
export const accessRequested = (
  organizationId: string,
  request: AccessRequestItem,
): OrganizationEvent => ({
  id: `chat.access_requested:${request.id}`,
  type: "chat.access_requested",
  occurredAt: request.createdAt,
  ...place(organizationId, request),
  data: who(request),
});

/** Tells how an access request was decided. */
export const accessDecided = (
  organizationId: string,
  request: AccessRequestItem,
): OrganizationEvent => ({
  id: `chat.access_decided:${request.id}`,
  type: "chat.access_decided",
  occurredAt: request.modifiedAt,
  ...place(organizationId, request),
  data: {
    ...who(request),
    status: request.status,
    processedBy: request.processedBy,
    processingNote: request.processingNote,
  },
});

const place = (organizationId: string, { tenantId, agentId }: AccessRequestItem) => ({
  organizationId,
  tenantId,
  agentId,
});

const who = (request: AccessRequestItem) => ({
  accessRequestId: request.id,
  connectorId: request.connectorId,
  provider: request.provider,
  identifier: request.identifier,
  userName: request.userName,
  conversationName: request.conversationName,
});
