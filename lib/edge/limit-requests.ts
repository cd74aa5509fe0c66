import { type CountDeps, countRefusal } from "../platform/auth/count-requests.ts";
import { requireWithinLimit } from "../platform/auth/rate-limit.ts";
import { Problem, rateLimitExceeded } from "../platform/http/problems.ts";
import type { Connected, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Set where a call was counted against its source address before it was refused. */
type Counted = { isCounted?: boolean | undefined };

/**
 * Limits the requests of a principal per window. A call with invalid credentials, or to a tenant or an inbound address
 * that does not exist, counts against its source address. Throws 429.
 */
export const limitRequests = (limits: () => CountDeps["limits"]): Link<Connected & Counted> => ({
  before: ({ context: { rateLimit, call } }) => requireWithinLimit(rateLimit, call.startedAt),
  onError: async (request) => {
    const { context, error } = request;
    if (!(error instanceof Problem) || !error.isRefusal || context.isCounted) return;
    request.error = (await countAgainstAddress(limits(), context)) ?? error;
  },
});

/** Counts every call of a row that takes slots, and needs no credentials, against its source address. Throws 429. */
export const limitAddress = (
  { slots }: Pick<Row, "slots">,
  limits: () => CountDeps["limits"],
): Link<Connected & Counted> => ({
  before: async ({ context }) => {
    if (slots === undefined) return;
    context.isCounted = true;
    const exceeded = await countAgainstAddress(limits(), context);
    if (exceeded) throw exceeded;
  },
});

/** Counts a call against its source address. Returns the 429 of an address over its limit. */
export const countAgainstAddress = async (
  limits: CountDeps["limits"],
  context: Connected,
): Promise<Problem | undefined> => {
  const { sourceIp: address, startedAt: now } = context.call;
  const rateLimit = await countRefusal({ db: context.database(), limits }, { address, now });
  if (!rateLimit) return undefined;
  context.rateLimit = rateLimit;
  return rateLimit.isExceeded ? rateLimitExceeded(rateLimit, now) : undefined;
};
