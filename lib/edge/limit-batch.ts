import type * as z from "zod";
import { requireWithinLimit } from "../platform/auth/rate-limit.ts";
import { rateLimitSettings } from "../platform/runtime/env.ts";
import { countFurtherRequests } from "../tenancy/api-key/count-further-requests.ts";
import type { Admitted, Link } from "./context.ts";
import type { Parsed } from "./parse-request.ts";
import type { Row } from "./route.ts";

/** Returns the number of requests in a row's parsed body. */
export type RequestsIn<R extends Row> = (body: z.output<NonNullable<R["body"]>>) => number;

/**
 * Counts each request of a batch in the principal's window, in one update; authentication counted the first. Throws
 * 429 over the limit, before any of them runs.
 */
export const limitBatch = <R extends Row>(
  requestsIn: RequestsIn<R> = () => 1,
): Link<Admitted & Parsed<R>> => ({
  before: async ({ context }) => {
    const requests = requestsIn(context.input.body) - 1;
    if (requests < 1) return;
    const { database, principal, call } = context;
    const now = call.startedAt;
    const deps = { db: database(), limits: rateLimitSettings() };
    const rateLimit = await countFurtherRequests(deps, { principal, requests, now });
    if (!rateLimit) return;
    context.rateLimit = rateLimit;
    requireWithinLimit(rateLimit, now);
  },
});
