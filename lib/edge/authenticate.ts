import { issuerKeys } from "../platform/auth/issuer-keys.ts";
import { ScopeName } from "../platform/auth/scopes.ts";
import { type TokenResource, tokenReader } from "../platform/auth/user-token.ts";
import { buildResourceUrls } from "../platform/http/protected-resource.ts";
import { keySettings, rateLimitSettings, tokenSettings } from "../platform/runtime/env.ts";
import type { Admitted, Link } from "./context.ts";
import { type AuthDeps, readCredentials } from "./read-credentials.ts";
import type { Row } from "./route.ts";

/** Finds the principal of the credentials, and the window in which the call was counted. Throws 400 and 401. */
export const authenticate = (row: Row): Link<Admitted> => ({
  before: async ({ context }) => {
    const { database, headers, call, pathValues } = context;
    const { isOAuthResource, openai } = row;
    const url = buildResourceUrls(call.baseUrl, row.path, pathValues).resource;
    const { principal, rateLimit } = await readCredentials(
      { ...authSettings(), db: database() },
      {
        headers,
        now: call.startedAt,
        takesBearerKeys: openai || isOAuthResource,
        resource: isOAuthResource ? toTokenResource(row, url) : undefined,
      },
    );
    context.principal = principal;
    if (rateLimit) context.rateLimit = rateLimit;
    Object.assign(context.ids, { principalType: principal.type, principalId: principal.id });
  },
});

const toTokenResource = ({ scope }: Row, url: string): TokenResource => {
  const { resourceAudiences: otherAudiences } = tokenSettings();
  return { url, otherAudiences, scope: ScopeName.parse(scope) };
};

type AuthSettings = Omit<AuthDeps, "db">;

let shared: AuthSettings | undefined;

/** Settings of authentication, read once per function. */
const authSettings = (): AuthSettings => {
  if (shared) return shared;
  const settings = tokenSettings();
  shared = {
    readToken: tokenReader(settings, issuerKeys(settings.jwksUrl)),
    prefixes: keySettings(),
    limits: rateLimitSettings(),
  };
  return shared;
};
