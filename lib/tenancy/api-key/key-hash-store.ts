import * as z from "zod";
import type { Counted } from "../../platform/auth/rate-limit.ts";
import { type CounterWindow, countAt } from "../../platform/auth/request-counter.ts";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { ApiKeyItem } from "./items.ts";
import { apiKeyKey, keyHashKey } from "./keys.ts";

/** Item of a key's hash: the data for authentication, and the key's rate-limit windows. */
const KeyHashItem = z.object({
  keyId: z.string(),
  organizationId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.number().nullable(),
  /** Expiry of a secret that was rotated, Unix milliseconds; null for the current one. */
  validUntil: z.number().nullable(),
  lastUsedAt: z.number(),
  mcpConfigId: z.string().optional(),
  userIds: z.array(z.string()).default([]),
});

type KeyHashItem = z.output<typeof KeyHashItem>;

/** Use of a secret, as authentication counts it. */
const HashUse = z.object({
  lastUsedAt: z.number(),
  rateWindow: z.number(),
  rateCount: z.number(),
  inboundWindow: z.number(),
  inboundCount: z.number(),
});
export type HashUse = z.output<typeof HashUse>;

/** Use of a new secret. */
export const neverUsed: HashUse = {
  lastUsedAt: 0,
  rateWindow: 0,
  rateCount: 0,
  inboundWindow: 0,
  inboundCount: 0,
};

const CurrentSecret = z.object({ sha256: z.string() });

/**
 * KEYHASH#sha256 / KEYHASH: reads a key, counts the request and records the use in one call; undefined when the key
 * does not exist. A rotated secret in its grace period counts in the window of the current one, with two more calls.
 */
export const useKey = async (
  db: Database,
  sha256: string,
  window: CounterWindow,
): Promise<{ key: KeyHashItem; count: Counted } | undefined> => {
  const outcome = await countAt(db, keyHashKey(sha256), { ...window, requests: 1 }, "must-exist");
  const used = outcome && { key: KeyHashItem.parse(outcome.item), count: outcome.counted };
  if (!used || used.key.validUntil === null || used.key.validUntil <= window.now) return used;
  const count = await countKeyRequests(db, used.key, window, 1);
  return count && { key: used.key, count };
};

/**
 * ORG#o / KEY#id, then KEYHASH#sha256 / KEYHASH: counts requests in the window of a key's current secret; undefined
 * when the key does not exist.
 */
export const countKeyRequests = async (
  db: Database,
  key: { organizationId: string; keyId: string },
  window: CounterWindow,
  requests: number,
): Promise<Counted | undefined> => {
  const current = await getCurrentSecret(db, key);
  const counting = { ...window, requests };
  return (
    current && (await countAt(db, keyHashKey(current.sha256), counting, "must-exist"))?.counted
  );
};

/** ORG#o / KEY#id: reads the hash of a key's current secret. */
const getCurrentSecret = (
  db: Database,
  { organizationId, keyId }: { organizationId: string; keyId: string },
): Promise<z.output<typeof CurrentSecret> | undefined> =>
  getItem(db, apiKeyKey(organizationId, keyId), CurrentSecret, ["sha256"]);

/** KEYHASH#sha256 / KEYHASH: reads a key's data without counting a request, for when writes fail. */
export const readKeyByHash = (db: Database, sha256: string): Promise<KeyHashItem | undefined> =>
  getItem(db, keyHashKey(sha256), KeyHashItem);

/** KEYHASH#sha256 / KEYHASH: returns the last use of keys by id, Unix milliseconds, 0 for never. */
export const findLastUses = async (
  db: Database,
  keys: readonly ApiKeyItem[],
): Promise<Map<string, number>> => {
  const hashes = keys.flatMap((key) =>
    key.revokedAt === null
      ? [key.sha256, ...key.previousSecrets.map((secret) => secret.sha256)].map((sha256) => ({
          keyId: key.id,
          sha256,
        }))
      : [],
  );
  const hashKeys = hashes.map(({ sha256 }) => keyHashKey(sha256));
  const found = await getItems(db, hashKeys, HashUse);
  const uses = new Map(keys.map((key) => [key.id, key.lastUsedAt]));
  for (const [at, { keyId }] of hashes.entries()) {
    uses.set(keyId, Math.max(uses.get(keyId) ?? 0, found[at]?.lastUsedAt ?? 0));
  }
  return uses;
};

/** KEYHASH#sha256 / KEYHASH: reads the use of a secret. */
export const getHashUse = (db: Database, sha256: string): Promise<HashUse | undefined> =>
  getItem(db, keyHashKey(sha256), HashUse);

/** Builds the write of a new secret. */
export const putHash = (
  key: ApiKeyItem,
  use: HashUse,
  userIds: readonly string[],
): TransactionWrite => ({
  Put: {
    Item: {
      ...keyHashKey(key.sha256),
      keyId: key.id,
      organizationId: key.organizationId,
      name: key.name,
      scopes: key.scopes,
      expiresAt: key.expiresAt,
      mcpConfigId: key.mcpConfigId,
      userIds,
      validUntil: null,
      ...use,
    },
    ...ifNew,
  },
});

/** Builds the write that gives a secret the key's name, scopes and expiry, and its own. */
export const updateHash = (
  sha256: string,
  { name, scopes, expiresAt }: ApiKeyItem,
  validUntil: number | null,
): TransactionWrite => ({
  Update: patch(keyHashKey(sha256), { set: { name, scopes, expiresAt, validUntil } }),
});

/** Builds the write that deletes a secret. */
export const deleteHash = (sha256: string): TransactionWrite => ({
  Delete: { Key: keyHashKey(sha256) },
});
