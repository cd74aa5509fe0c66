import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";
import { toIsoTime } from "./to-api-key.ts";

const eventTypesByAuditType = {
  Issued: "api_key.issued",
  Rotated: "api_key.rotated",
  ScopesChanged: "api_key.scopes_changed",
  Revoked: "api_key.revoked",
} as const;

/** Creates the organization events of a key's audit event; they contain nothing of the secret. */
export const keyEvents = (
  { organizationId, name }: Pick<ApiKeyItem, "organizationId" | "name">,
  audit: AuditEventItem,
): OrganizationEvent[] => {
  const { apiKeyId, actor, previousScopes, newScopes, previousExpiresAt, newExpiresAt } = audit;
  const changesScopes = audit.type === "Rotated" && !sameScopes(previousScopes, newScopes);
  const types = [
    ...(audit.type === "Updated" ? [] : [eventTypesByAuditType[audit.type]]),
    ...(changesScopes ? [eventTypesByAuditType.ScopesChanged] : []),
  ];
  return types.map((type) => ({
    id: `${type}:${audit.id}`,
    type,
    organizationId,
    tenantId: null,
    agentId: null,
    occurredAt: audit.createdAt,
    data: {
      apiKeyId,
      name,
      actor,
      scopes: newScopes ?? previousScopes ?? [],
      previousScopes,
      expiresAt: toIsoTime(newExpiresAt ?? (audit.type === "Revoked" ? previousExpiresAt : null)),
    },
  }));
};

const sameScopes = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  (one ?? []).toSorted().join() === (other ?? []).toSorted().join();
