import { remoteKeys, tokenReader } from "../platform/auth/user-token.ts";
import { database } from "../platform/db/database.ts";
import { keySettings, rateLimitSettings, tokenSettings } from "../platform/runtime/env.ts";
import type { Admitted, Link } from "./context.ts";
import { type AuthDeps, readCredentials } from "./read-credentials.ts";

/** Finds the principal of the credentials, and the window in which the call was counted. Throws 400 and 401. */
export const authenticate = (deps: () => AuthDeps = authDeps): Link<Admitted> => ({
  before: async ({ context }) => {
    const { headers, call } = context;
    const { principal, rateLimit } = await readCredentials(deps(), {
      headers,
      now: call.startedAt,
    });
    context.principal = principal;
    if (rateLimit) context.rateLimit = rateLimit;
    Object.assign(context.ids, { principalType: principal.type, principalId: principal.id });
  },
});

let shared: AuthDeps | undefined;

/** Dependencies of authentication, created once per function. */
export const authDeps = (): AuthDeps => {
  if (shared) return shared;
  const settings = tokenSettings();
  shared = {
    db: database(),
    readToken: tokenReader(settings, remoteKeys(settings)),
    prefixes: keySettings(),
    limits: rateLimitSettings(),
  };
  return shared;
};
