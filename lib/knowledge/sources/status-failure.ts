import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/**
 * What a source's refusal means, in words that tell what to do; nothing of what it said itself.
 * @param isThrottled it wants to be left alone for longer than there is time
 */
export const statusFailure = (host: string, status: number, isThrottled = false): UpstreamError =>
  new UpstreamError(`${host} ${isThrottled ? throttled : meaningOf(status)} (${status}).`, {
    upstream: host,
    upstreamStatus: status,
    timedOut: isThrottled,
  });

const throttled =
  "has had too many requests and asks to wait for longer than a call may take: try again later, or narrow down what is read";

const meaningOf = (status: number): string => {
  switch (status) {
    case 400:
    case 422:
      return "does not accept what was asked: check the parameters";
    case 401:
      return "does not accept the credentials: check that they are right and have not expired";
    case 403:
      return "does not allow this with these credentials: give them access to what is to be read";
    case 404:
    case 410:
      return "has no such place, or hides it from these credentials: check the parameters";
    default:
      return status >= 500 ? "failed: try again later" : "answered unexpectedly";
  }
};
