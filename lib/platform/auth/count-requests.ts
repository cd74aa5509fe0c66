import type { Database } from "../db/database.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { countOccurrence } from "../runtime/metrics.ts";
import { type Counted, counted, type Window } from "./rate-limit.ts";
import type { CounterName } from "./request-counter.ts";
import { countAddressRequest, countWebhookRequest } from "./store.ts";

/** Requests that a window allows, its length in seconds, and which of a key's windows it is; `api` by default. */
export type Limits = {
  requests: number;
  unauthenticatedRequests: number;
  windowSeconds: number;
  counter?: CounterName;
};

/** Dependencies of counting requests. */
export type CountDeps = { db: Database; limits: Limits };

/** A call that was refused: where it came from, and when. */
export type Refused = { address: string; now: number };

/** Returns the window of a moment, Unix milliseconds. */
export const toWindow = (
  { windowSeconds }: Pick<Limits, "windowSeconds">,
  now: number,
): Window => ({
  now,
  windowMs: windowSeconds * 1_000,
});

/** Counts a refused call in its source address's window. Undefined when it could not be written. */
export const countRefusal = async (
  { db, limits }: CountDeps,
  { address, now }: Refused,
): Promise<RateLimit | undefined> => {
  const window = toWindow(limits, now);
  const count = await orUncounted(countAddressRequest(db, address, window));
  return count && counted(count, limits.unauthenticatedRequests, window);
};

/** Counts a delivery that came by signature in its webhook's window. Undefined when it could not be written. */
export const countSignedDelivery = async (
  { db, limits }: CountDeps,
  { webhookId, now }: { webhookId: string; now: number },
): Promise<RateLimit | undefined> => {
  const window = toWindow(limits, now);
  const count = await orUncounted(countWebhookRequest(db, webhookId, window));
  return count && counted(count, limits.requests, window);
};

/** Returns undefined when a counter cannot be written, so that the request is let through. */
export const orUncounted = <Count extends Counted | undefined>(
  counting: Promise<Count>,
): Promise<Count | undefined> => counting.catch(reportCounterFailure);

/** Logs and counts the failure of a counter. */
export const reportCounterFailure = (error: unknown): undefined => {
  countOccurrence("RateLimitCounterFailed");
  log("rate-limit-counter-failed", { error: asError(error) });
};
