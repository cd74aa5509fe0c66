import { type ProblemSlug, problemRegistry } from "../lib/platform/http/problems.ts";

type Words = { slug: ProblemSlug; detail: string; members?: Record<string, unknown> };

const noRoute: Words = {
  slug: "not-found",
  detail: "There is no such route. GET /v1/openapi.json lists all of them.",
};
const refused: Words = {
  slug: "unauthenticated",
  detail: "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.",
};
const misfit: Words = {
  slug: "validation-failed",
  detail: "The gateway could not read the request.",
  members: { errors: [] },
};
const ours: Words = { slug: "internal-error", detail: "Something went wrong on our side." };

/**
 * The gateway's own errors, as problems. All types that API Gateway has but REQUEST_TOO_LARGE, which
 * cannot be worded. Source: API Gateway Developer Guide, "Gateway response types".
 */
const wordsByType: Readonly<Record<string, Words>> = {
  DEFAULT_4XX: misfit,
  DEFAULT_5XX: ours,
  RESOURCE_NOT_FOUND: noRoute,
  MISSING_AUTHENTICATION_TOKEN: noRoute,
  UNAUTHORIZED: refused,
  INVALID_API_KEY: refused,
  ACCESS_DENIED: refused,
  INVALID_SIGNATURE: refused,
  EXPIRED_TOKEN: { slug: "credentials-expired", detail: "The credentials have expired." },
  AUTHORIZER_FAILURE: ours,
  AUTHORIZER_CONFIGURATION_ERROR: ours,
  API_CONFIGURATION_ERROR: ours,
  INTEGRATION_FAILURE: ours,
  INTEGRATION_TIMEOUT: {
    slug: "service-unavailable",
    detail: "The call took longer than the gateway waits. Try again shortly.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    slug: "unsupported-media-type",
    detail: "Send the body with Content-Type: application/json.",
  },
  BAD_REQUEST_PARAMETERS: misfit,
  BAD_REQUEST_BODY: misfit,
  WAF_FILTERED: { ...misfit, detail: "The firewall before the gateway refused the request." },
  THROTTLED: {
    slug: "rate-limit-exceeded",
    detail: "The whole service has too many requests. Try again in 1 s.",
  },
  QUOTA_EXCEEDED: { slug: "rate-limit-exceeded", detail: "The quota of requests is used up." },
};

/**
 * The gateway's errors for its definition. `rateLimit` is the limit of calls without credentials. A header
 * can only be constant here: these calls were counted in no window, so all of the limit remains and the
 * reset is in the past; only a throttled call has nothing left. `instance` is the resource, since a path
 * as it came in may hold a key.
 */
export const gatewayResponses = (rateLimit: number) =>
  Object.fromEntries(
    Object.entries(wordsByType).map(([type, words]) => [type, response(words, rateLimit)]),
  );

const response = ({ slug, detail, members }: Words, rateLimit: number) => {
  const { status, title } = problemRegistry[slug];
  return {
    statusCode: String(status),
    responseParameters: Object.fromEntries(
      Object.entries({
        "Content-Type": "'application/problem+json'",
        "X-Request-Id": "context.requestId",
        "X-RateLimit-Limit": `'${rateLimit}'`,
        "X-RateLimit-Remaining": status === 429 ? "'0'" : `'${rateLimit}'`,
        "X-RateLimit-Reset": "'0'",
        ...(retryAfter[status] && { "Retry-After": `'${retryAfter[status]}'` }),
      }).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: {
      "application/json": JSON.stringify({
        type: `/problems/${slug}`,
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

/** Seconds to wait, by status. */
const retryAfter: Readonly<Record<number, number>> = { 429: 1, 503: 5 };
