import { Problem } from "../../platform/http/problems.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/** Maps an error of calling a provider to a problem: 504 once the call's time has ended, 502 for the service's failure. */
export const toProviderProblem = (
  error: unknown,
  providerId: string,
  signal: AbortSignal,
): unknown => {
  if (signal.aborted) {
    const detail = `The model provider "${providerId}" did not respond in time.`;
    return new Problem("upstream-timeout", detail, { members: { upstream: providerId } });
  }
  return error instanceof UpstreamError ? upstreamProblem(error) : error;
};
