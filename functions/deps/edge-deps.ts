import type { AuthSettings } from "../../lib/edge/authenticate.ts";
import type { EdgeDeps } from "../../lib/edge/endpoint.ts";
import { issuerKeys } from "../../lib/platform/auth/issuer-keys.ts";
import { tokenReader } from "../../lib/platform/auth/user-token.ts";
import { database } from "../../lib/platform/db/database.ts";
import { keySettings, rateLimitSettings, tokenSettings } from "../../lib/platform/runtime/env.ts";

let shared: AuthSettings | undefined;

/** Returns the settings of authentication, read once per function. */
const auth = (): AuthSettings => {
  if (shared) return shared;
  const settings = tokenSettings();
  shared = {
    readToken: tokenReader(settings, issuerKeys(settings.jwksUrl)),
    prefixes: keySettings(),
    resourceAudiences: settings.resourceAudiences,
    limits: rateLimitSettings(),
  };
  return shared;
};

/** Connections and settings of the checks before a handler, created on first use. */
export const edgeDeps: EdgeDeps = { database, auth, limits: rateLimitSettings };
