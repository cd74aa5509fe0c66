import type { UpstreamError } from "../outgoing/upstream-error.ts";
import { Problem } from "./problems.ts";

/** Returns the problem of an UpstreamError: 504 when it did not answer in time, else 502. */
export const upstreamProblem = (error: UpstreamError): Problem => {
  const { message, upstream, upstreamStatus } = error;
  const slug = error.timedOut ? "upstream-timeout" : "upstream-failed";
  return new Problem(slug, message, { members: { upstream, upstreamStatus }, cause: error });
};
