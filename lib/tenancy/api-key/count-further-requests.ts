import { type CountDeps, orUncounted, toWindow } from "../../platform/auth/count-requests.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { counted } from "../../platform/auth/rate-limit.ts";
import { countUserRequests } from "../../platform/auth/store.ts";
import type { RateLimit } from "../../platform/http/rate-limit.ts";
import { countKeyRequests } from "./key-hash-store.ts";

/**
 * Counts requests of a principal beyond the one that authentication counted, in the same window. Undefined when they
 * could not be written.
 */
export const countFurtherRequests = async (
  { db, limits }: CountDeps,
  {
    principal: { type, id, organizationId },
    requests,
    now,
  }: {
    principal: Pick<Principal, "type" | "id" | "organizationId">;
    requests: number;
    now: number;
  },
): Promise<RateLimit | undefined> => {
  const window = { ...toWindow(limits, now), counter: limits.counter };
  const count = await orUncounted(
    type === "ApiKey"
      ? countKeyRequests(db, { organizationId, keyId: id }, window, requests)
      : countUserRequests(db, { organizationId, userId: id }, window, requests),
  );
  return count && counted(count, limits.requests, window);
};
