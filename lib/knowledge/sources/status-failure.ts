import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/**
 * Returns the error for a source's status, with advice for the caller. Never includes text from the source.
 * @param isThrottled the source asked to wait longer than the time left
 */
export const sourceStatusFailure = (
  host: string,
  status: number,
  isThrottled = false,
): UpstreamError =>
  new UpstreamError(`${host} ${isThrottled ? throttled : describeStatus(status)} (${status}).`, {
    upstream: host,
    upstreamStatus: status,
    timedOut: isThrottled,
  });

const throttled =
  "throttles requests for longer than a call may take: try again later, or select fewer documents";

const describeStatus = (status: number): string => {
  switch (status) {
    case 400:
    case 422:
      return "rejected the request: check the parameters";
    case 401:
      return "rejected the credentials: check that they are valid and have not expired";
    case 403:
      return "denied access: grant the credentials access to the documents";
    case 404:
    case 410:
      return "did not find the documents: check the parameters and the access of the credentials";
    default:
      return status >= 500 ? "failed: try again later" : "sent an unexpected status";
  }
};
