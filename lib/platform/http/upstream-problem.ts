import type { UpstreamError } from "../outgoing/upstream-error.ts";
import { Problem } from "./problems.ts";

/** Returns the problem of an UpstreamError: 504 on a timeout, else 502. */
export const upstreamProblem = (error: UpstreamError): Problem => {
  const { message, upstream, upstreamStatus } = error;
  const slug = error.timedOut ? "upstream-timeout" : "upstream-failed";
  return new Problem(slug, message, { members: { upstream, upstreamStatus }, cause: error });
};
