import type { ProblemSlug } from "./problem-registry.ts";

/**
 * The meaning and remedy of a problem type, with a detail, a path and extra members of an example.
 */
export type ProblemGuide = {
  meaning: string;
  remedy: string;
  detail: string;
  path?: string;
  members?: Readonly<Record<string, unknown>>;
};

const executePath = "/v1/tenants/demo/agents/triage:execute";
const executionId = "0193f0a0-7c4b-7000-8000-000000000000";

/** Guides of all problem types, which the pages under `/problems/{slug}` show. */
export const problemGuides: Readonly<Record<ProblemSlug, ProblemGuide>> = {
  "validation-failed": {
    meaning:
      "The body, a query parameter, a path parameter or a header is not valid. `errors` lists every invalid value with a `pointer` and a `detail`. The pointer is a JSON pointer into the body, or `query/NAME`, `path/NAME` or `header/NAME`. In a body of JSON lines it is `line/NUMBER` followed by a pointer into that line.",
    remedy: "Correct the values that `errors` lists and send the request again.",
    detail: "/displayName: is required",
    members: { errors: [{ pointer: "/displayName", detail: "is required" }] },
  },
  "malformed-json": {
    meaning:
      "The body is not JSON in UTF-8, is nested too deeply, or is empty although the operation requires a body. `detail` names the first fault with its line and column.",
    remedy: "Correct the body at that position and send the request again.",
    detail: "The body is not JSON: trailing comma at line 3, column 9.",
  },
  "ambiguous-credentials": {
    meaning: "The request has more than one credential.",
    remedy: "Send either one `Authorization: Bearer` header or one `X-API-KEY` header.",
    detail: "Send one credential: a bearer token or an API key.",
  },
  unauthenticated: {
    meaning:
      "The request has no credentials, or its credentials are unknown, mistyped, revoked or replaced by a rotation. The response is the same in all of these cases.",
    remedy:
      "Send an API key in `X-API-KEY` or a user token in `Authorization: Bearer`. If you sent a key, check in the console that it is active.",
    detail: "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.",
  },
  "credentials-expired": {
    meaning: "The API key, the user token or the link has expired.",
    remedy: "Get a new user token or a new link, or rotate the API key with a later `expiresAt`.",
    detail: "The credentials have expired.",
  },
  "budget-exceeded": {
    meaning:
      "The monthly budget of the agent is spent, and its limit is enforced. `budget` is the budget.",
    remedy: "Raise the amount of the budget, or wait for the next month (UTC).",
    detail: "The agent's budget of 50 USD for this month is spent.",
    path: executePath,
    members: { budget: { agentId: "triage", amount: 50, usagePercent: 100, "…": "…" } },
  },
  "insufficient-scope": {
    meaning:
      "The credentials do not have the scope `requiredScope`. For a collaborator of an agent, and for the API keys that a collaborator created, the role at the agent can also be insufficient; `detail` then names the role.",
    remedy: "Use an API key with this scope, or ask an administrator for a higher role.",
    detail: "This call needs the scope agents:write.",
    members: { requiredScope: "agents:write" },
  },
  "scope-escalation": {
    meaning:
      "The request would grant more rights than the caller has. `scopes` lists the scopes that the caller lacks. An API key that expires cannot give another key a later expiry, or none; the problem then has the member `expiresAt`, its own expiry.",
    remedy: "Request scopes that the caller has, or use credentials with more rights.",
    detail: "The caller does not have these scopes: keys:write.",
    path: "/v1/tenants/demo/apiKeys:generate",
    members: { scopes: ["keys:write"] },
  },
  "verification-failed": {
    meaning:
      "A provider tried to verify an inbound URL with other values than the expected ones. `detail` names them.",
    remedy:
      "Correct the values in the provider's settings. Meta's verify token must be the `signingSecret` of the webhook or the `verifyToken` of the connector.",
    detail: "hub.verify_token is not the verify token of this webhook.",
    path: "/v1/tenants/demo/webhooks/meta/0193f0a0-7c4b-7000-8000-000000000000",
  },
  "not-found": {
    meaning:
      "The route, the tenant or the resource does not exist, or it belongs to another organization.",
    remedy:
      "Check the path and the ids in it. Check that the credentials belong to the organization that owns the tenant.",
    detail: 'There is no agent "triaje".',
    path: "/v1/tenants/demo/agents/triaje",
  },
  "method-not-allowed": {
    meaning: "The path exists, but it does not support the method of the request.",
    remedy: "Use a method that the `Allow` header lists.",
    detail: "Use GET or POST on this path.",
  },
  conflict: {
    meaning:
      "The id is already in use, another request changed the resource first, or the resource is not in a state that allows the operation. `detail` describes the reason.",
    remedy:
      "Retrieve the resource, then decide whether to send the request again. If the response has `Retry-After`, send the same request again after that many seconds.",
    detail: 'There is already an agent "triage".',
  },
  "payload-too-large": {
    meaning: "The body is larger than the operation accepts. `limit` is the maximum in bytes.",
    remedy:
      "Send a smaller body. Send a file over 4 MiB to an upload URL, and a large dataset in several requests.",
    detail: "The body may have at most 1048576 bytes.",
    members: { limit: 1_048_576 },
  },
  "unsupported-media-type": {
    meaning: "The operation does not accept the content type of the request.",
    remedy:
      "Send `Content-Type: application/json`. Operations that also accept lines of JSON list `application/jsonl` in the OpenAPI document.",
    detail: "Send the body with Content-Type: application/json.",
  },
  "idempotency-mismatch": {
    meaning: "The `Idempotency-Key` was used within 24 hours for a request with another body.",
    remedy: "Use a new key for each new request. Use the same key only to repeat a request.",
    detail: "This Idempotency-Key was used within the last 24 hours with another body.",
  },
  "execution-failed": {
    meaning:
      "A step of the flow, or a tool that was run on its own, failed because of its configuration or its data. `step` is the id of the step and `executionId` the id of the execution; both are null for a tool run.",
    remedy:
      "Read the trace of the execution, correct the step in a new revision and deploy it. Sending the same request again fails in the same way.",
    detail: "The expression failed at position 12: the value is not a number.",
    path: executePath,
    members: { executionId, step: "total" },
  },
  "guardrail-blocked": {
    meaning:
      "A check of a guardrail blocked the input, the output, or what a step sends or receives. `guardrail` and `check` are their ids. The content is in no response, record or trace. With a blocked input, no execution is started.",
    remedy: "Send another input, or change the guardrail.",
    detail: 'The guardrail "privacy" blocked the input (check "pii").',
    path: executePath,
    members: { guardrail: "privacy", check: "pii" },
  },
  "rate-limit-exceeded": {
    meaning:
      "The caller has no requests left in the current window, or the tenant has the maximum number of calls of this operation in progress. `detail` says which. The `X-RateLimit-*` headers of every response show the limit and the remaining requests.",
    remedy: "Wait for the seconds in `Retry-After`, then send the request again.",
    detail: "Too many requests. Try again in 12 s.",
  },
  "internal-error": {
    meaning: "The service failed to process the request.",
    remedy: "Send the request again. If it fails again, report it with the `requestId`.",
    detail: "Something went wrong on our side.",
  },
  "upstream-failed": {
    meaning:
      "A model, a tool or an asset source responded with an error. `upstream` is its name and `upstreamStatus` its HTTP status. Its response is not shown, because it can contain secrets.",
    remedy:
      "For the status 401 or 403, check the credentials of the model provider, the integration config or the asset. For 429 and 5xx, try again later, or give the step a `retry`.",
    detail: "openai responded with 401.",
    path: executePath,
    members: { executionId, step: "answer", upstream: "openai", upstreamStatus: 401 },
  },
  "service-unavailable": {
    meaning:
      "A dependency of the service, such as its storage or the issuer of user tokens, is busy or cannot be reached.",
    remedy:
      "Wait for the seconds in `Retry-After`, then send the request again. With an `Idempotency-Key`, a repeated request has its effect only once.",
    detail: "The storage is busy or cannot be reached. Try again shortly.",
  },
  "upstream-timeout": {
    meaning: "A model, a tool or an asset source did not respond in time. `upstream` is its name.",
    remedy:
      "Try again. If a tool is slow, run the agent in the background with `Prefer: respond-async`, or raise the timeout of the step.",
    detail: "openai did not respond in time.",
    path: executePath,
    members: { executionId, step: "answer", upstream: "openai", upstreamStatus: null },
  },
};
