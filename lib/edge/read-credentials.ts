import { hasKeyPrefix } from "../platform/auth/api-key-format.ts";
import {
  type Admission,
  authenticateUser,
  type UserAuthDeps,
} from "../platform/auth/authenticate-user.ts";
import type { TokenResource } from "../platform/auth/user-token.ts";
import { ambiguousCredentials, nameBearerKey, unauthenticated } from "../platform/http/problems.ts";
import type { Headers } from "../platform/http/request.ts";
import { authenticateKey, type KeyAuthDeps } from "../tenancy/api-key/authenticate-key.ts";

/** Dependencies of authentication. */
export type AuthDeps = KeyAuthDeps & UserAuthDeps;

type CredentialsRequest = {
  headers: Headers;
  now: number;
  takesBearerKeys?: boolean;
  resource?: TokenResource | undefined;
};

/**
 * Turns credentials into a principal and counts the request in the principal's window: one round trip for an
 * API key. Throws 400 for two credentials, and 401.
 * @param request `takesBearerKeys`: whether a bearer token with the prefix of a key is an API key. `resource`: what
 * user tokens are for; default: the API
 */
export const readCredentials = async (
  deps: AuthDeps,
  request: CredentialsRequest,
): Promise<Admission> => {
  try {
    return await admit(deps, request);
  } catch (error) {
    throw request.takesBearerKeys ? nameBearerKey(error) : error;
  }
};

const admit = async (
  deps: AuthDeps,
  { headers, now, takesBearerKeys = false, resource }: CredentialsRequest,
): Promise<Admission> => {
  const keys = headers.get("x-api-key") ?? [];
  const authorizations = headers.get("authorization") ?? [];
  if (keys.length + authorizations.length > 1) throw ambiguousCredentials();
  const [key] = keys;
  if (key !== undefined) return authenticateKey(deps, { secret: key, now });
  const bearer = /^Bearer +([^\s]+)$/i.exec(authorizations[0] ?? "")?.[1];
  if (bearer === undefined) throw unauthenticated();
  const isKey = takesBearerKeys && hasKeyPrefix(bearer, deps.prefixes);
  return isKey
    ? authenticateKey(deps, { secret: bearer, now })
    : authenticateUser(deps, { token: bearer, now, resource });
};
