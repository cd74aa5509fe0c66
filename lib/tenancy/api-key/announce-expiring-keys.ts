import type { Database } from "../../platform/db/database.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { expiryNoticeMs, type KeyExpiry, listExpiries, publishExpiry } from "./expiry-store.ts";
import type { ApiKeyItem } from "./items.ts";
import { getApiKey } from "./store.ts";
import { toIsoTime } from "./to-api-key.ts";

const dayMs = 24 * 3_600_000;

/** Publishes `api_key.expiring` for the keys that expire within seven days, once per expiry. Safe to repeat. */
export const announceExpiringKeys = async ({
  db,
  send,
  clock,
}: {
  db: Database;
  send: Send;
  clock: Clock;
}): Promise<void> => {
  const now = clock();
  for (let day = now; day < now + expiryNoticeMs + dayMs; day += dayMs) {
    for await (const expiry of listExpiries(db, day)) {
      const { organizationId, keyId, expiresAt, notified } = expiry;
      if (notified || expiresAt <= now || expiresAt - now > expiryNoticeMs) continue;
      const key = await getApiKey(db, organizationId, keyId);
      if (!key || key.revokedAt !== null || key.expiresAt !== expiresAt) continue;
      const event = expiringEvent(expiry, key, now);
      if (await publishExpiry(db, expiry, event)) await enqueueEvent(send, event);
    }
  }
};

const expiringEvent = (
  { organizationId, keyId, expiresAt }: KeyExpiry,
  { name, scopes }: ApiKeyItem,
  now: number,
): OrganizationEvent => ({
  id: `api_key.expiring:${keyId}:${expiresAt}`,
  type: "api_key.expiring",
  organizationId,
  tenantId: null,
  agentId: null,
  occurredAt: now,
  data: { apiKeyId: keyId, name, scopes, expiresAt: toIsoTime(expiresAt) },
});
