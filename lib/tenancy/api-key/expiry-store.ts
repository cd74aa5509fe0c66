import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { ApiKeyItem } from "./items.ts";
import { keyExpiriesList, keyExpiryKey } from "./keys.ts";

/** Milliseconds before a key's expiry at which the event is published. */
export const expiryNoticeMs = 7 * 24 * 3_600_000;
const keptAfterSeconds = 24 * 3_600;

/** An API key that expires, and whether its event was published. Times in Unix milliseconds. */
const KeyExpiry = z.object({
  organizationId: z.string(),
  keyId: z.string(),
  expiresAt: z.int(),
  notified: z.boolean().optional(),
});
export type KeyExpiry = z.output<typeof KeyExpiry>;

const buildExpiryKey = ({ organizationId, id }: ApiKeyItem, expiresAt: number) =>
  keyExpiryKey(expiresAt, { organizationId, keyId: id });

/**
 * Builds the writes that move a key in the list of expiring keys. Keys that expire within the notice are not
 * listed. `before` is null for a new key, `after` for a revoked one.
 */
export const moveExpiry = (
  before: ApiKeyItem | null,
  after: ApiKeyItem | null,
): TransactionWrite[] => {
  const old = before?.expiresAt ?? null;
  const next = after?.expiresAt ?? null;
  if (old === next) return [];
  const isNoticed = after && next !== null && next - after.modifiedAt > expiryNoticeMs;
  const put = isNoticed && { ...buildExpiryKey(after, next), ...toExpiry(after, next) };
  const gone = before && old !== null ? buildExpiryKey(before, old) : undefined;
  return [
    ...(gone && gone.pk !== (put || undefined)?.pk ? [{ Delete: { Key: gone } }] : []),
    ...(put ? [{ Put: { Item: put } }] : []),
  ];
};

const toExpiry = ({ organizationId, id }: ApiKeyItem, expiresAt: number) => ({
  organizationId,
  keyId: id,
  expiresAt,
  ttl: Math.ceil(expiresAt / 1_000) + keptAfterSeconds,
});

/** KEYEXPIRY#day / KEY#…: lists the keys that expire on the day (UTC) of a time in Unix milliseconds. */
export const listExpiries = (db: Database, day: number): AsyncGenerator<KeyExpiry> =>
  listAll(db, KeyExpiry, keyExpiriesList(day));

/** Writes the event that a key expires to the outbox, once per expiry; false when written before or the expiry changed. */
export const publishExpiry = async (
  db: Database,
  { organizationId, keyId, expiresAt }: KeyExpiry,
  event: OrganizationEvent,
): Promise<boolean> => {
  const { written } = await transact(db, [
    {
      Update: {
        Key: keyExpiryKey(expiresAt, { organizationId, keyId }),
        UpdateExpression: "SET notified = :true",
        ConditionExpression: "expiresAt = :expiresAt AND attribute_not_exists(notified)",
        ExpressionAttributeValues: { ":true": true, ":expiresAt": expiresAt },
      },
    },
    putInOutbox(event),
  ]);
  return written;
};
