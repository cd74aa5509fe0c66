/**
 * Registry of problem types by slug: status and title. Problem responses and the OpenAPI document are built from it;
 * the pages under `/problems/{slug}` add the guides of problem-guides.ts.
 */
export const problemRegistry = {
  "validation-failed": {
    status: 400,
    title: "Validation failed",
  },
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
  },
  "ambiguous-credentials": {
    status: 400,
    title: "Ambiguous credentials",
  },
  unauthenticated: {
    status: 401,
    title: "Missing or invalid credentials",
  },
  "credentials-expired": {
    status: 401,
    title: "Credentials expired",
  },
  "budget-exceeded": {
    status: 402,
    title: "Budget exceeded",
  },
  "insufficient-scope": {
    status: 403,
    title: "Insufficient scope",
  },
  "scope-escalation": {
    status: 403,
    title: "Scope escalation",
  },
  "verification-failed": {
    status: 403,
    title: "Verification failed",
  },
  "not-found": {
    status: 404,
    title: "Not found",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
  },
  conflict: {
    status: 409,
    title: "Conflict",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload too large",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "Idempotency key mismatch",
  },
  "execution-failed": {
    status: 422,
    title: "Execution failed",
  },
  "guardrail-blocked": {
    status: 422,
    title: "Blocked by a guardrail",
  },
  "rate-limit-exceeded": {
    status: 429,
    title: "Rate limit exceeded",
  },
  "internal-error": {
    status: 500,
    title: "Internal error",
  },
  "upstream-failed": {
    status: 502,
    title: "Upstream service failed",
  },
  "service-unavailable": {
    status: 503,
    title: "Service unavailable",
  },
  "upstream-timeout": {
    status: 504,
    title: "Upstream service timed out",
  },
} as const;

/** Slug of a problem type: the last segment of its `type`. */
export type ProblemSlug = keyof typeof problemRegistry;
