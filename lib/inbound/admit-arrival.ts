import { authenticateKey, countRefusals, type KeyAuthDeps } from "../auth/authenticate.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import type { ObjectStore } from "../db/large-value.ts";
import type { Sealer } from "../db/seal.ts";
import { insufficientScope, Problem, unauthenticated } from "../http/problems.ts";
import type { Send } from "../queue/send.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { ownerOf } from "../tenant/owner-of.ts";
import type { TenantOwner } from "../tenant/store.ts";
import type { InboundRequest, Signing } from "../webhooks/webhook-provider.ts";

/** What taking in what providers send needs. */
export type InboundDeps = KeyAuthDeps & {
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
};

/** A request to an inbound address, and where it came. */
export type Arrival = {
  tenant: string;
  provider: string;
  /** Of the webhook or the connector. */
  id: string;
  /** The key in the path; undefined for a signed address. */
  key: string | undefined;
  request: InboundRequest;
  /** The caller's address. */
  address: string;
  runtime: Runtime;
  reportRateLimit: (rateLimit: RateLimit) => void;
};

/** Who calls, and when, as counters have it. */
export const attemptOf = ({ address, runtime }: Arrival) => ({ address, now: runtime.clock() });

/**
 * The tenant of an inbound address, once the key in its path was let in, whatever the method: a check of an
 * address with a wrong key must not pass. Throws 401, 403, 429, and `unknown` for another organization's tenant.
 */
export const admitArrival = async (
  deps: InboundDeps,
  arrival: Arrival,
  unknown: Problem,
): Promise<TenantOwner> => {
  const principal =
    arrival.key === undefined
      ? undefined
      : await authenticateKey(deps, arrival.key, attemptOf(arrival), arrival.reportRateLimit).catch(
          sayOfPath,
        );
  const tenant = await ownerOf(deps.db, arrival.tenant);
  if (!tenant) throw unknown;
  if (principal && principal.organizationId !== tenant.organizationId) throw unknown;
  if (principal && !principal.scopes.includes("inbound:deliver")) {
    throw insufficientScope("inbound:deliver");
  }
  return tenant;
};

/** A key that is not valid, in the words of an address that ends with it. */
const sayOfPath = (error: unknown): never => {
  if (!(error instanceof Problem) || error.slug !== "unauthenticated") throw error;
  throw unauthenticated("The address must end with a valid API key; this one's is not.");
};

/** Throws 401 for a signature that is wrong or too old. */
export const checkSignature = async (
  deps: InboundDeps,
  arrival: Arrival,
  signing: Signing,
  secret: string,
  detail?: string,
): Promise<void> => {
  const isRight = await signing.verify(arrival.request, secret, arrival.runtime.clock());
  if (!isRight) await refuse(deps, arrival, detail);
};

/** Throws 401 for what is not signed as it must be, and counts it. */
export const refuse = (
  deps: InboundDeps,
  arrival: Arrival,
  detail = "The signature of the delivery is missing, wrong or too old.",
): Promise<never> =>
  countRefusals(deps, attemptOf(arrival), arrival.reportRateLimit, async () => {
    throw unauthenticated(detail);
  });
