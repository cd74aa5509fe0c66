import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { UpstreamError } from "../outgoing/upstream-error.ts";

/** A service's answer that is no success. Nothing of its body is said. */
export function statusFailure(upstream: string, upstreamStatus: number): UpstreamError {
  return new UpstreamError(
    `The model provider "${upstream}" ${complaint(upstreamStatus)} (${upstreamStatus}).`,
    { upstream, upstreamStatus },
  );
}

function complaint(status: number): string {
  if (status >= 300 && status < 400) {
    return "answered with a redirect: set its baseUrl to where that leads";
  }
  switch (status) {
    case 400:
    case 422:
      return "refused the request: check the model's name and the step's parameters, tools and outputSchema";
    case 401:
    case 403:
      return "refused the credentials: check its apiKey, and that it may use the model";
    case 404:
      return "does not know the model: check its name, and the provider's baseUrl";
    case 413:
      return "found the request too large: shorten the prompt";
    case 429:
      return "takes no more requests for now: try again later, or raise its limits";
    default:
      return status >= 500
        ? "failed: try again later"
        : "refused the request: check the provider's settings";
  }
}

/** Why a service could not be called, or its answer not be read; `error` is what was thrown. */
export function callFailure(upstream: string, error: unknown): UpstreamError {
  const known = findCause(error, (each) => each instanceof UpstreamError);
  if (known) return known;
  const outgoing = findCause(error, (each) => each instanceof OutgoingError);
  return new UpstreamError(
    `The model provider "${upstream}" ${trouble(outgoing)}.`,
    { upstream },
    { cause: outgoing },
  );
}

function trouble(error: OutgoingError | undefined): string {
  switch (error?.kind) {
    case undefined:
      return "gave an answer that cannot be understood, or broke it off: check its type and baseUrl, then try again";
    case "blocked-address":
      return "has no public address: change its baseUrl";
    case "bad-url":
    case "bad-request":
      return "cannot be called as it is set up: check its baseUrl and apiKey";
    case "too-large":
      return "answered with more than can be read: lower maxOutputTokens";
    default:
      return "could not be reached, or broke off its answer: check its baseUrl, then try again";
  }
}

function findCause<Found>(
  error: unknown,
  isFound: (each: unknown) => each is Found,
): Found | undefined {
  let each = error;
  for (let depth = 0; depth < 10 && each instanceof Error; depth += 1) {
    if (isFound(each)) return each;
    each = each.cause;
  }
  return undefined;
}
