import { hashApiKey, isApiKey, type KeyPrefixes } from "../../platform/auth/api-key-format.ts";
import type { Admission } from "../../platform/auth/authenticate-user.ts";
import {
  type CountDeps,
  reportCounterFailure,
  toWindow,
} from "../../platform/auth/count-requests.ts";
import { counted } from "../../platform/auth/rate-limit.ts";
import { credentialsExpired, unauthenticated } from "../../platform/http/problems.ts";
import { readKeyByHash, useKey } from "./key-hash-store.ts";

/** Dependencies of authentication by keys. */
export type KeyAuthDeps = CountDeps & { prefixes: KeyPrefixes };

/** Reads the principal of an API key and counts the request in its window, in one round trip. Throws 401. */
export const authenticateKey = async (
  { db, prefixes, limits }: KeyAuthDeps,
  { secret, now }: { secret: string; now: number },
): Promise<Admission> => {
  if (!isApiKey(secret, prefixes)) throw unauthenticated();
  const window = { ...toWindow(limits, now), counter: limits.counter };
  const sha256 = hashApiKey(secret);
  const found = await useKey(db, sha256, window).catch(async (error: unknown) => {
    // The key alone is read when its use cannot be written.
    reportCounterFailure(error);
    return { key: await readKeyByHash(db, sha256), count: undefined };
  });
  if (!found?.key) throw unauthenticated();
  const { key, count } = found;
  if (key.validUntil !== null && key.validUntil <= now) throw unauthenticated();
  if (key.expiresAt !== null && key.expiresAt <= now) throw credentialsExpired();
  return {
    principal: {
      type: "ApiKey",
      id: key.keyId,
      organizationId: key.organizationId,
      scopes: key.scopes,
      userIds: key.userIds,
      email: null,
      apiKey: {
        name: key.name,
        lastUsedAt: key.lastUsedAt,
        expiresAt: key.expiresAt,
        mcpConfigId: key.mcpConfigId,
      },
    },
    rateLimit: count && counted(count, limits.requests, window),
  };
};
