/**
 * Registry of problem types by slug: status, title and help.
 * Problem responses, the OpenAPI document and the pages under `/problems/{slug}` are built from it.
 */
export const problemRegistry = {
  "validation-failed": {
    status: 400,
    title: "Validation failed",
    help: "The body, a query parameter, a path parameter or a header is not valid. Each entry of `errors` has a `pointer` (a JSON pointer into the body, or `query/NAME`, `path/NAME`, `header/NAME`; for a body of JSON lines, `line/NUMBER` and a pointer into its value) and a `detail`. Correct them and send the request again.",
  },
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    help: "The body is not JSON in UTF-8, is nested too deeply, or is empty where one is required.",
  },
  "ambiguous-credentials": {
    status: 400,
    title: "Ambiguous credentials",
    help: "The request has more than one credential. Send either one `Authorization: Bearer` header or one `X-API-KEY` header.",
  },
  unauthenticated: {
    status: 401,
    title: "Missing or invalid credentials",
    help: "Send an API key in `X-API-KEY` or a user token in `Authorization: Bearer`. Requests without credentials, and with unknown, mistyped, revoked or rotated keys, all return this problem.",
  },
  "credentials-expired": {
    status: 401,
    title: "Credentials expired",
    help: "Get a new user token, or rotate the API key with a new expiry.",
  },
  "budget-exceeded": {
    status: 402,
    title: "Budget exceeded",
    help: "The agent has a monthly budget with an enforced limit, and the amount is spent. Raise the budget, or wait for the next month (UTC). `budget` is the budget.",
  },
  "insufficient-scope": {
    status: 403,
    title: "Insufficient scope",
    help: "The credentials do not have the scope `requiredScope`. Use a key or a user role that has it. Collaborators of an agent, and the keys that they create, also need a role that allows the request; `detail` then names the role.",
  },
  "scope-escalation": {
    status: 403,
    title: "Scope escalation",
    help: "The request would grant more rights than the caller has. `scopes` lists the scopes that the caller lacks. An API key that expires cannot give another key a later expiry or none; `expiresAt` is then its own expiry.",
  },
  "verification-failed": {
    status: 403,
    title: "Verification failed",
    help: "A provider's verification of an inbound address does not have the expected values. `detail` names them. For Meta, the verify token must be that of the webhook's `signingSecret` or the connector's `verifyToken`.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    help: "The route, tenant or resource does not exist, or belongs to another organization.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    help: "The path does not support this method. The `Allow` header lists the methods that it supports.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    help: "The id is already in use, another request changed the resource first, or the resource is not in a state that allows the operation. `detail` describes the reason. Retrieve the resource before you try again.",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload too large",
    help: "The body is larger than this endpoint accepts. `limit` is the largest size in bytes.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    help: "This endpoint accepts JSON only. Send `Content-Type: application/json`; endpoints that accept lines of JSON, too, have `application/jsonl` in the OpenAPI document.",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "Idempotency key mismatch",
    help: "The `Idempotency-Key` was used for a request with another body. Use a new key for each new request.",
  },
  "execution-failed": {
    status: 422,
    title: "Execution failed",
    help: "A step of the flow, or a tool that was run on its own, failed because of its configuration or its data. `step` is the id of the step, `executionId` the id of the execution, whose record has the details; both are null for a tool run.",
  },
  "rate-limit-exceeded": {
    status: 429,
    title: "Rate limit exceeded",
    help: "Wait for `Retry-After` seconds. Either the window has no requests left, or as many calls of the operation as the tenant may have are in progress, as `detail` says. The `X-RateLimit-*` headers of every response show the limit and the remaining requests.",
  },
  "internal-error": {
    status: 500,
    title: "Internal error",
    help: "The service failed to process the request. Include `requestId` when you report the problem.",
  },
  "upstream-failed": {
    status: 502,
    title: "Upstream service failed",
    help: "A model, tool or asset source responded with an error. `upstream` is its name, `upstreamStatus` its HTTP status.",
  },
  "service-unavailable": {
    status: 503,
    title: "Service unavailable",
    help: "A dependency, such as the storage or the issuer of user tokens, is busy or cannot be reached. Wait for `Retry-After` seconds and send the request again. Send an `Idempotency-Key` to have the request processed only once.",
  },
  "upstream-timeout": {
    status: 504,
    title: "Upstream service timed out",
    help: "A model, tool or asset source did not respond in time. `upstream` is its name.",
  },
} as const;

/** Slug of a problem type: the last segment of its `type`. */
export type ProblemSlug = keyof typeof problemRegistry;
