import type { Database } from "../db/database.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { countOccurrence } from "../runtime/metrics.ts";
import type { Principal } from "./principal.ts";
import { type Counted, counted, type Window } from "./rate-limit.ts";
import {
  countAddressRequest,
  countKeyRequests,
  countSenderRequest,
  countUserRequests,
  countWebhookRequest,
} from "./store.ts";

/** Requests that a window allows, and its length in seconds. */
export type Limits = { requests: number; unauthenticatedRequests: number; windowSeconds: number };

/** Dependencies of counting requests. */
export type CountDeps = { db: Database; limits: Limits };

/** A call that was refused: where it came from, when, and the signed address, if it was one. */
export type Refused = { address: string; now: number; webhookId?: string | undefined };

/** Returns the window of a moment, Unix milliseconds. */
export const windowOf = (
  { windowSeconds }: Pick<Limits, "windowSeconds">,
  now: number,
): Window => ({
  now,
  windowMs: windowSeconds * 1_000,
});

/**
 * Counts a refused call in its source address's window, and one to a webhook's signed address in that address's
 * window there, which is looked at before the next signature. Undefined when nothing could be written.
 */
export const countRefusal = async (
  { db, limits }: CountDeps,
  { address, now, webhookId }: Refused,
): Promise<RateLimit | undefined> => {
  const window = windowOf(limits, now);
  const [atAddress] = await Promise.all([
    orUncounted(countAddressRequest(db, address, window)),
    webhookId === undefined
      ? undefined
      : orUncounted(countSenderRequest(db, { address, webhookId }, window)),
  ]);
  return atAddress && counted(atAddress, limits.unauthenticatedRequests, window);
};

/** Counts a delivery that came by signature in its webhook's window. Undefined when it could not be written. */
export const countSignedDelivery = async (
  { db, limits }: CountDeps,
  webhookId: string,
  now: number,
): Promise<RateLimit | undefined> => {
  const window = windowOf(limits, now);
  const count = await orUncounted(countWebhookRequest(db, webhookId, window));
  return count && counted(count, limits.requests, window);
};

/**
 * Counts requests of a principal beyond the one that authentication counted, in the same window. Undefined when they
 * could not be written.
 */
export const countFurtherRequests = async (
  { db, limits }: CountDeps,
  { type, id, organizationId }: Pick<Principal, "type" | "id" | "organizationId">,
  { requests, now }: { requests: number; now: number },
): Promise<RateLimit | undefined> => {
  const window = windowOf(limits, now);
  const count = await orUncounted(
    type === "ApiKey"
      ? countKeyRequests(db, { organizationId, keyId: id }, window, requests)
      : countUserRequests(db, { organizationId, userId: id }, window, requests),
  );
  return count && counted(count, limits.requests, window);
};

/** Returns undefined when a counter cannot be written, so that the request is let through. */
export const orUncounted = (counting: Promise<Counted | undefined>): Promise<Counted | undefined> =>
  counting.catch(reportCounterFailure);

/** Logs and counts the failure of a counter. */
export const reportCounterFailure = (error: unknown): undefined => {
  countOccurrence("RateLimitCounterFailed");
  log().error("rate-limit counter failed", { error: asError(error) });
};
