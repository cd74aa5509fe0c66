import {
  type Admission,
  authenticateUser,
  type UserAuthDeps,
} from "../platform/auth/authenticate-user.ts";
import { ambiguousCredentials, unauthenticated } from "../platform/http/problems.ts";
import type { Headers } from "../platform/http/request.ts";
import { authenticateKey, type KeyAuthDeps } from "../tenancy/api-key/authenticate-key.ts";

/** Dependencies of authentication. */
export type AuthDeps = KeyAuthDeps & UserAuthDeps;

/**
 * Turns credentials into a principal and counts the request in the principal's window: one round trip for an
 * API key. Throws 400 for two credentials, and 401.
 */
export const readCredentials = async (
  deps: AuthDeps,
  { headers, now }: { headers: Headers; now: number },
): Promise<Admission> => {
  const keys = headers.get("x-api-key") ?? [];
  const authorizations = headers.get("authorization") ?? [];
  if (keys.length + authorizations.length > 1) throw ambiguousCredentials();
  const [key] = keys;
  if (key !== undefined) return authenticateKey(deps, { secret: key, now });
  const bearer = /^Bearer +([^\s]+)$/i.exec(authorizations[0] ?? "")?.[1];
  if (bearer === undefined) throw unauthenticated();
  return authenticateUser(deps, { token: bearer, now });
};
