import * as z from "zod";
import { ScopeName } from "../../platform/auth/scopes.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";
import type { ApiKey, AuditEvent } from "./schemas.ts";

const Scopes = z.array(ScopeName);

/** Formats an expiry as ISO 8601, UTC. */
export const toIsoTime = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

/** Maps a stored key to its response. `lastUsedAt` is 0 for never. */
export const toApiKey = (item: ApiKeyItem, lastUsedAt: number, now: number): ApiKey => ({
  id: item.id,
  name: item.name,
  scopes: Scopes.parse(item.scopes),
  prefix: item.prefix,
  last4: item.last4,
  createdAt: item.createdAt,
  createdBy: item.createdBy,
  modifiedAt: item.modifiedAt,
  lastUsedAt: lastUsedAt === 0 ? null : lastUsedAt,
  expiresAt: toIsoTime(item.expiresAt),
  status: deriveStatus(item, now),
});

const deriveStatus = ({ revokedAt, expiresAt }: ApiKeyItem, now: number): ApiKey["status"] => {
  if (revokedAt !== null) return "Revoked";
  return expiresAt !== null && expiresAt <= now ? "Expired" : "Active";
};

/** Maps a stored audit event to its response. */
export const toAuditEvent = (item: AuditEventItem): AuditEvent => ({
  ...item,
  previousExpiresAt: toIsoTime(item.previousExpiresAt),
  newExpiresAt: toIsoTime(item.newExpiresAt),
});
