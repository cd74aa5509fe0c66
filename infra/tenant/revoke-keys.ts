import type { Database } from "../../lib/platform/db/database.ts";
import { transact } from "../../lib/platform/db/transact.ts";
import type { ApiKeyItem } from "../../lib/tenancy/api-key/items.ts";
import { isKeyCounted, uncountKey } from "../../lib/tenancy/api-key/key-count.ts";
import { keyHashKey, liveKeyKey } from "../../lib/tenancy/api-key/keys.ts";
import { getApiKey } from "../../lib/tenancy/api-key/store.ts";

/** Makes API keys invalid immediately. Idempotent: a repeated call does not change the number of active keys. */
export const revokeKeys = async (
  db: Database,
  organizationId: string,
  keys: readonly string[],
  now: number,
): Promise<void> => {
  for (const keyId of keys) {
    const key = await getApiKey(db, organizationId, keyId);
    if (key && key.revokedAt === null) await revoke(db, key, now);
  }
};

const revoke = async (db: Database, key: ApiKeyItem, now: number): Promise<void> => {
  const { organizationId, id, sha256, previousSecrets } = key;
  const hashes = [sha256, ...previousSecrets.map((secret) => secret.sha256)];
  const isCounted = await isKeyCounted(db, key, now);
  await transact(db, [
    {
      Delete: {
        Key: liveKeyKey(organizationId, id),
        ConditionExpression: "attribute_exists(pk)",
      },
    },
    ...hashes.map((hash) => ({ Delete: { Key: keyHashKey(hash) } })),
    ...(isCounted ? [uncountKey(organizationId)] : []),
  ]);
};
