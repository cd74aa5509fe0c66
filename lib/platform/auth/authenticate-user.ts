import type { RateLimit } from "../http/rate-limit.ts";
import { type CountDeps, orUncounted, reportCounterFailure, toWindow } from "./count-requests.ts";
import { linkAddress } from "./last-call-store.ts";
import type { Principal } from "./principal.ts";
import { counted } from "./rate-limit.ts";
import { withinCounterTime } from "./request-counter.ts";
import { countUserRequests } from "./store.ts";
import type { TokenReader, TokenResource } from "./user-token.ts";

/** Dependencies of authentication by users' tokens. */
export type UserAuthDeps = CountDeps & { readToken: TokenReader };

/** A caller, and the window in which the request was counted; undefined when it could not be. */
export type Admission = { principal: Principal; rateLimit: RateLimit | undefined };

/** Reads the principal of a user's token and counts the request. Throws 401. */
export const authenticateUser = async (
  { db, readToken, limits }: UserAuthDeps,
  { token, now, resource }: { token: string; now: number; resource?: TokenResource | undefined },
): Promise<Admission> => {
  const principal = await readToken(token, now, resource);
  const window = toWindow(limits, now);
  const { organizationId, id: userId, userIds } = principal;
  const address = userIds.find((other) => other !== userId);
  const user = { organizationId, userId, address };
  const count = await orUncounted(countUserRequests(db, user, window, 1));
  if (count && address !== undefined && count.linkedTo !== address) {
    const linking = () => linkAddress(db, { organizationId, userId, address });
    await withinCounterTime(now, linking).catch(reportCounterFailure);
  }
  return { principal, rateLimit: count && counted(count, limits.requests, window) };
};
