import { ScopeName } from "../platform/auth/scopes.ts";
import type { TokenResource } from "../platform/auth/user-token.ts";
import { buildResourceUrls } from "../platform/http/protected-resource.ts";
import type { Admitted, Link } from "./context.ts";
import { type AuthDeps, readCredentials } from "./read-credentials.ts";
import type { Row } from "./route.ts";

/** Dependencies of authentication, without the table. */
export type AuthSettings = Omit<AuthDeps, "db"> & {
  /** Audiences of user tokens that an OAuth resource accepts in addition to its own URL. */
  resourceAudiences: readonly string[];
};

/** Finds the principal of the credentials, and the window in which the call was counted. Throws 400 and 401. */
export const authenticate = (row: Row, settings: () => AuthSettings): Link<Admitted> => ({
  before: async ({ context }) => {
    const { database, headers, call, pathValues } = context;
    const { isOAuthResource, takesBearerKeys } = row;
    const url = buildResourceUrls(call.baseUrl, row.path, pathValues).resource;
    const { principal, rateLimit } = await readCredentials(
      { ...settings(), db: database() },
      {
        headers,
        now: call.startedAt,
        takesBearerKeys,
        resource: isOAuthResource ? toTokenResource(row, url, settings()) : undefined,
      },
    );
    context.principal = principal;
    if (rateLimit) context.rateLimit = rateLimit;
    Object.assign(context.ids, { principalType: principal.type, principalId: principal.id });
  },
});

const toTokenResource = (
  { scope }: Row,
  url: string,
  { resourceAudiences: otherAudiences }: AuthSettings,
): TokenResource => ({ url, otherAudiences, scope: ScopeName.parse(scope) });
