import * as z from "zod";
import { withoutCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { conflict } from "../../platform/http/problems.ts";
import { maxActiveKeys } from "../../platform/runtime/env.ts";
import type { ApiKeyItem } from "./items.ts";
import { keyCountKey, liveKeyKey, liveKeysList } from "./keys.ts";

const KeyCount = z.object({ active: z.int() });

/** Entry of a key that is not revoked. `uncounted`: it expired, and its place was given to another. */
export const LiveKey = z.object({
  keyId: z.string(),
  expiresAt: z.number().nullable(),
  uncounted: z.literal(true).optional(),
});

/** Maximum expired keys to free places of per call. */
const maxFreed = 100;

/** Creates the 409 of an organization at its limit of active keys. */
export const tooManyKeys = (limit = maxActiveKeys()) =>
  conflict(
    `The organization has ${limit} active API keys, the maximum (MAX_API_KEYS). Revoke one that is no longer used.`,
  );

/** ORG#o / ACTIVEKEYS: builds the write that counts one more active key, which fails at the limit. */
export const countKey = (organizationId: string, limit = maxActiveKeys()): TransactionWrite => ({
  Update: {
    Key: keyCountKey(organizationId),
    UpdateExpression: "ADD active :one",
    ConditionExpression: "attribute_not_exists(active) OR active < :limit",
    ExpressionAttributeValues: { ":one": 1, ":limit": limit },
  },
});

/** ORG#o / ACTIVEKEYS: builds the write that counts one active key less. */
export const uncountKey = (organizationId: string): TransactionWrite => ({
  Update: {
    Key: keyCountKey(organizationId),
    UpdateExpression: "ADD active :less",
    ExpressionAttributeValues: { ":less": -1 },
  },
});

/** ORG#o / LIVE#KEY#id: returns whether a key that is not revoked is counted; one that has not expired is. */
export const isKeyCounted = async (
  db: Database,
  { organizationId, id, expiresAt }: Pick<ApiKeyItem, "organizationId" | "id" | "expiresAt">,
  now: number,
): Promise<boolean> => {
  if (expiresAt === null || expiresAt > now) return true;
  const mark = await getItem(db, liveKeyKey(organizationId, id), LiveKey);
  return mark?.uncounted !== true;
};

/** Condition of a write to a key's entry: it is counted, or is not, as it was read. */
export const ifCounted = (isCounted: boolean) => ({
  ConditionExpression: isCounted
    ? "attribute_not_exists(uncounted)"
    : "attribute_exists(uncounted)",
});

/** Builds the writes of a changed expiry, after which the key is active and counted. */
export const moveCount = (
  before: ApiKeyItem,
  after: ApiKeyItem,
  isCounted: boolean,
): TransactionWrite[] => {
  if (before.expiresAt === after.expiresAt) return [];
  const { organizationId, id } = after;
  const mark: TransactionWrite = {
    Update: {
      Key: liveKeyKey(organizationId, id),
      UpdateExpression: "SET expiresAt = :expiresAt REMOVE uncounted",
      ExpressionAttributeValues: { ":expiresAt": after.expiresAt },
      ...ifCounted(isCounted),
    },
  };
  return isCounted ? [mark] : [mark, countKey(organizationId)];
};

/**
 * Requires a place for one more active key. At the limit the places of expired keys are freed first. Throws 409; the
 * condition of `countKey` holds for calls at the same time.
 */
export const requirePlace = async (
  db: Database,
  organizationId: string,
  now: number,
  limit = maxActiveKeys(),
): Promise<void> => {
  const { active } = (await getItem(db, keyCountKey(organizationId), KeyCount)) ?? { active: 0 };
  if (active < limit) return;
  if ((await freeExpired(withoutCompanions(db), organizationId, now)) === 0)
    throw tooManyKeys(limit);
};

/** Returns whether a key is counted. Requires a place for one that is not and that a new expiry makes active. Throws 409. */
export const requirePlaceToChange = async (
  db: Database,
  before: ApiKeyItem,
  after: ApiKeyItem,
  now: number,
): Promise<boolean> => {
  const isCounted = before.expiresAt === after.expiresAt || (await isKeyCounted(db, before, now));
  if (!isCounted) await requirePlace(db, before.organizationId, now);
  return isCounted;
};

const freeExpired = async (db: Database, organizationId: string, now: number): Promise<number> => {
  let freed = 0;
  for await (const { keyId, expiresAt, uncounted } of listAll(
    db,
    LiveKey,
    liveKeysList(organizationId),
  )) {
    if (uncounted || expiresAt === null || expiresAt > now) continue;
    const { written } = await transact(db, [
      {
        Update: {
          Key: liveKeyKey(organizationId, keyId),
          UpdateExpression: "SET uncounted = :yes",
          ConditionExpression: "expiresAt = :expiresAt AND attribute_not_exists(uncounted)",
          ExpressionAttributeValues: { ":yes": true, ":expiresAt": expiresAt },
        },
      },
      uncountKey(organizationId),
    ]);
    if (written) freed += 1;
    if (freed === maxFreed) break;
  }
  return freed;
};
