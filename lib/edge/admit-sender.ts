import type { Principal } from "../platform/auth/principal.ts";
import { Problem, unauthenticated } from "../platform/http/problems.ts";
import { authenticateKey, type KeyAuthDeps } from "../tenancy/api-key/authenticate-key.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import type { Connected, Link, Routed } from "./context.ts";

/** Set by `admitSender`. */
export type Sender = Connected &
  Routed & {
    /** Undefined at a signed address. */
    principal: Principal | undefined;
    hasKey: boolean;
    /** Set when the call was counted against its source address before it was refused. */
    isCounted?: boolean;
  };
/** Set by `resolveOwner`. */
export type Sent = Sender & { tenant: TenantOwner };

/** Authenticates the key that ends an inbound path; a path without one is a signed address. Throws 401. */
export const admitSender = (settings: () => Omit<KeyAuthDeps, "db">): Link<Sender> => ({
  before: async ({ context }) => {
    const { database, pathValues, call } = context;
    const { apiKeyAuth: key } = pathValues;
    context.hasKey = key !== undefined;
    if (key === undefined) return;
    const deps = { ...settings(), db: database() };
    const { principal, rateLimit } = await authenticateKey(deps, {
      secret: key,
      now: call.startedAt,
    }).catch(throwForAddress);
    context.principal = principal;
    if (rateLimit) context.rateLimit = rateLimit;
  },
});

/** Creates the 401 for an invalid key at the end of a path. */
const throwForAddress = (error: unknown): never => {
  if (!(error instanceof Problem) || error.slug !== "unauthenticated") throw error;
  throw unauthenticated("The address must end with a valid API key; this one's is not.");
};
