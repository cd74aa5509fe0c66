import { type ProblemSlug, problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import { problemType } from "../../lib/platform/http/public-address.ts";
import { securityHeaders } from "../../lib/platform/http/security-headers.ts";

type Problem = { slug: ProblemSlug; detail: string; members?: Record<string, unknown> };

const noRoute: Problem = {
  slug: "not-found",
  detail: "The route does not exist. GET /v1/openapi.json lists all routes.",
};
const refused: Problem = {
  slug: "unauthenticated",
  detail: "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.",
};
const badRequest: Problem = {
  slug: "validation-failed",
  detail: "The gateway could not read the request.",
  members: { errors: [] },
};
const internalError: Problem = {
  slug: "internal-error",
  detail: "Something went wrong on our side.",
};

/**
 * The gateway's own errors as problems: all gateway response types but REQUEST_TOO_LARGE, which cannot be
 * customized (API Gateway Developer Guide, "Gateway response types").
 */
const problemByType: Readonly<Record<string, Problem>> = {
  DEFAULT_4XX: badRequest,
  DEFAULT_5XX: internalError,
  RESOURCE_NOT_FOUND: noRoute,
  MISSING_AUTHENTICATION_TOKEN: noRoute,
  UNAUTHORIZED: refused,
  INVALID_API_KEY: refused,
  ACCESS_DENIED: refused,
  INVALID_SIGNATURE: refused,
  EXPIRED_TOKEN: { slug: "credentials-expired", detail: "The credentials have expired." },
  AUTHORIZER_FAILURE: internalError,
  AUTHORIZER_CONFIGURATION_ERROR: internalError,
  API_CONFIGURATION_ERROR: internalError,
  // Lambda's 429 is an integration failure: a function at its reserved concurrency, or an account at its quota.
  INTEGRATION_FAILURE: {
    slug: "service-unavailable",
    detail: "The service cannot take the call now. Try again in 5 s.",
  },
  INTEGRATION_TIMEOUT: {
    slug: "service-unavailable",
    detail: "The call exceeded the timeout of the gateway. Try again shortly.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    slug: "unsupported-media-type",
    detail: "Send the body with Content-Type: application/json.",
  },
  BAD_REQUEST_PARAMETERS: badRequest,
  BAD_REQUEST_BODY: badRequest,
  WAF_FILTERED: { ...badRequest, detail: "The firewall blocked the request." },
  THROTTLED: {
    slug: "rate-limit-exceeded",
    detail: "The service receives too many requests. Try again in 1 s.",
  },
  QUOTA_EXCEEDED: { slug: "rate-limit-exceeded", detail: "The request quota is exhausted." },
};

/**
 * Returns the gateway responses of the API definition; `rateLimit` is the limit of unauthenticated calls. Headers
 * are constant: these calls count in no window, so the whole limit remains, except when throttled. `instance` is
 * the resource: one template serves all routes and has no conditions, and an inbound path contains a key. `basePath` is the path of the API's public base URL.
 */
export const gatewayResponses = (rateLimit: number, basePath: string) =>
  Object.fromEntries(
    Object.entries(problemByType).map(([type, problem]) => [
      type,
      response(problem, rateLimit, basePath),
    ]),
  );

const response = ({ slug, detail, members }: Problem, rateLimit: number, basePath: string) => {
  const { status, title } = problemRegistry[slug];
  return {
    statusCode: String(status),
    responseParameters: Object.fromEntries(
      Object.entries({
        "Content-Type": "'application/problem+json'",
        ...quotedSecurityHeaders,
        "X-Request-Id": "context.requestId",
        "X-RateLimit-Limit": `'${rateLimit}'`,
        "X-RateLimit-Remaining": status === 429 ? "'0'" : `'${rateLimit}'`,
        "X-RateLimit-Reset": "'0'",
        ...(retryAfter[status] && { "Retry-After": `'${retryAfter[status]}'` }),
      }).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: {
      "application/json": JSON.stringify({
        type: problemType(slug, basePath),
        status,
        title,
        detail,
        instance: "$context.resourcePath",
        requestId: "$context.requestId",
        ...members,
      }),
    },
  };
};

const quotedSecurityHeaders = Object.fromEntries(
  Object.entries(securityHeaders).map(([name, value]) => [name, `'${value}'`]),
);

/** Seconds to wait, by status. */
const retryAfter: Readonly<Record<number, number>> = { 429: 1, 503: 5 };
