import type { RateLimit } from "../auth/rate-limit.ts";
import { saysWhere } from "./text-value.ts";

/**
 * Everything that can go wrong, once: the registry from slug to status, title and explanation.
 * The error bodies, the OpenAPI document and the pages under `/problems/{slug}` are made from it.
 */
export const problemRegistry = {
  "validation-failed": {
    status: 400,
    title: "The request does not fit",
    help: "The body, a query parameter or a path parameter has the wrong shape. `errors` lists each place: a JSON pointer into the body, or `query/NAME`, `path/NAME`, `header/NAME`. Mend those and send the request again.",
  },
  "malformed-json": {
    status: 400,
    title: "The body is not JSON",
    help: "The body could not be read as JSON in UTF-8, is nested too deeply, or is empty where one is required.",
  },
  "ambiguous-credentials": {
    status: 400,
    title: "Two credentials in one request",
    help: "Send either an `Authorization: Bearer` token or an `X-API-KEY` header, not both and neither twice.",
  },
  unauthenticated: {
    status: 401,
    title: "Credentials are missing or not valid",
    help: "Send an API key in `X-API-KEY` or a user token in `Authorization: Bearer`. Unknown, mistyped, revoked and rotated keys all end here.",
  },
  "credentials-expired": {
    status: 401,
    title: "The credentials have expired",
    help: "Get a new user token, or rotate the API key with a new expiry.",
  },
  "budget-exceeded": {
    status: 402,
    title: "The agent's budget is spent",
    help: "This agent enforces a monthly budget and it is used up. Raise the budget, or wait for the next month (UTC).",
  },
  "insufficient-scope": {
    status: 403,
    title: "The credentials lack a scope",
    help: "`requiredScope` names the scope that this call needs. Use a key or a role that has it. A user who is a collaborator of an agent, and a key that such a user minted, are limited by the role there too; `detail` then names it.",
  },
  "scope-escalation": {
    status: 403,
    title: "More than the caller's own rights",
    help: "Nobody can give a key scopes that they lack themselves: `scopes` lists those that are too many. A key that expires can give no key a later expiry, nor none: `expiresAt` is its own.",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    help: "There is no such route, tenant or resource for these credentials. What belongs to another organization does not exist.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    help: "The path exists, the method does not. `Allow` lists the methods that do.",
  },
  conflict: {
    status: 409,
    title: "Conflict with the present state",
    help: "The id is taken, somebody else changed it first, or the resource is not in a state that allows this. `detail` says which; read it again and decide.",
  },
  "payload-too-large": {
    status: 413,
    title: "The body is too large",
    help: "`limit` is the largest body in bytes that this endpoint takes.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    help: "This endpoint reads JSON: send `Content-Type: application/json`.",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "Idempotency-Key used again with another body",
    help: "An Idempotency-Key belongs to one request. Use a new key for a new request.",
  },
  "execution-failed": {
    status: 422,
    title: "A step of the flow failed",
    help: "A step failed by its own configuration or data. `step` is its id, `executionId` the execution whose record tells more.",
  },
  "rate-limit-exceeded": {
    status: 429,
    title: "Too many requests",
    help: "Wait for `Retry-After` seconds. The `X-RateLimit-*` headers of every response say how much is left.",
  },
  "internal-error": {
    status: 500,
    title: "Internal error",
    help: "The fault is ours. Quote `requestId` when you report it.",
  },
  "upstream-failed": {
    status: 502,
    title: "An upstream service failed",
    help: "A model, tool or asset source answered with an error. `upstream` names it, `upstreamStatus` is its status.",
  },
  "service-unavailable": {
    status: 503,
    title: "Temporarily unavailable",
    help: "A service that is needed to respond, such as the storage or the issuer of user tokens, is busy or cannot be reached. Wait for `Retry-After` seconds and send the request again; with an `Idempotency-Key` it is not done twice.",
  },
  "upstream-timeout": {
    status: 504,
    title: "An upstream service did not answer in time",
    help: "A model, tool or asset source took too long. `upstream` names it.",
  },
} as const;

/** Name of a kind of problem, the last part of its `type`. */
export type ProblemSlug = keyof typeof problemRegistry;

/** One place in a request that does not fit: a JSON pointer into the body, `query/NAME` or `path/NAME`. */
export type InvalidPlace = { pointer: string; detail: string };

/** An error that ends a request with an `application/problem+json` answer. Made only by the functions below. */
export class Problem extends Error {
  override name = "Problem";
  readonly slug: ProblemSlug;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The window that a 429 is about. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether the call counts against its source address: it tried credentials, a tenant or an address. */
  readonly isRefusal: boolean;

  constructor(
    slug: ProblemSlug,
    detail: string,
    { members = {}, headers = {}, rateLimit, isRefusal = false, cause }: ProblemExtras = {},
  ) {
    super(detail, { cause });
    this.slug = slug;
    // Members without a value are null.
    this.members = Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, value ?? null]),
    );
    this.headers = headers;
    this.rateLimit = rateLimit;
    this.isRefusal = isRefusal;
  }
}

type ProblemExtras = {
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  rateLimit?: RateLimit;
  isRefusal?: boolean;
  cause?: unknown;
};

/** 400 with every place that does not fit. */
export const validationFailed = (errors: readonly InvalidPlace[]): Problem => {
  const whole = errors.find(({ detail }) => saysWhere(detail));
  const listed = errors
    .map(({ pointer, detail }) => `${pointer || "The body"}: ${detail}`)
    .join("; ");
  return new Problem("validation-failed", (whole?.detail ?? listed).slice(0, 500), {
    members: { errors },
  });
};

/** 400 for a body that is no JSON. */
export const malformedJson = (detail: string): Problem => new Problem("malformed-json", detail);

/** 400 for more than one credential. */
export const ambiguousCredentials = (): Problem =>
  new Problem("ambiguous-credentials", "Send one credential: a bearer token or an API key.");

const challenge = { "WWW-Authenticate": 'Bearer realm="wharf", ApiKey header="X-API-KEY"' };

/** 401. The detail never says which of the many reasons it was. */
export const unauthenticated = (
  detail = "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.",
): Problem => new Problem("unauthenticated", detail, { headers: challenge, isRefusal: true });

/** 401 for a key or token that was good until it expired. */
export const credentialsExpired = (): Problem =>
  new Problem("credentials-expired", "The credentials have expired.", {
    headers: challenge,
    isRefusal: true,
  });

/** 403 for a caller without the scope that a route asks for. */
export const insufficientScope = (requiredScope: string): Problem =>
  new Problem("insufficient-scope", `This call needs the scope ${requiredScope}.`, {
    members: { requiredScope },
  });

/** 403 for a user, or a key that a user minted, whose role at an agent does not reach as far as the scopes. */
export const insufficientRole = (
  requiredScope: string,
  role: { held: string; required: string; agentId: string; isKey: boolean },
): Problem =>
  new Problem(
    "insufficient-scope",
    `${role.isKey ? "This key is limited by its user's role" : "Your role"} at the agent "${role.agentId}", ${role.held}; this call needs the role ${role.required}.`,
    { members: { requiredScope } },
  );

/** 402 for an agent whose month is used up; `budget` is the budget as the API shows it. */
export const budgetExceeded = (budget: { amount: number; [member: string]: unknown }): Problem =>
  new Problem(
    "budget-exceeded",
    `This agent's budget of ${budget.amount} USD a month is spent. Raise it, or wait for the next month (UTC).`,
    { members: { budget } },
  );

/** 403 for giving away scopes that the caller lacks. */
export const scopeEscalation = (scopes: readonly string[]): Problem =>
  new Problem("scope-escalation", `You lack these scopes yourself: ${scopes.join(", ")}.`, {
    members: { scopes },
  });

/** 403 for a key with a later expiry than the caller's own, `own` in Unix milliseconds. */
export const expiryEscalation = (own: number): Problem => {
  const expiresAt = new Date(own).toISOString();
  return new Problem(
    "scope-escalation",
    `Your own key expires at ${expiresAt}: send an expiresAt that is not later.`,
    { members: { expiresAt } },
  );
};

/** 404 for a resource; the id is the caller's own words, so it is safe to say back. */
export const notFound = (kind: string, id: string): Problem =>
  new Problem("not-found", noSuch(kind, id));

/** 404 for a tenant or an inbound address, which counts against the source address. */
export const unknownAddress = (kind: string, id: string): Problem =>
  new Problem("not-found", noSuch(kind, id), { isRefusal: true });

const noSuch = (kind: string, id: string): string => `There is no ${kind} "${id.slice(0, 200)}".`;

/** 404 for a GET of an inbound address that is there, by which nothing is checked. */
export const noCheckByGet = (provider: string): Problem =>
  new Problem(
    "not-found",
    `${provider} makes no such check of an address by GET; what it delivers comes by POST.`,
  );

/** 404 for a path that is longer than any route's; `limit` in characters. */
export const pathTooLong = (limit: number): Problem =>
  new Problem("not-found", `There is no such route. No path has more than ${limit} characters.`);

/** 404 for a path that is no route. */
export const unknownRoute = (): Problem =>
  new Problem("not-found", "There is no such route. GET /v1/openapi.json lists all of them.");

/** 405 for a path that exists under other methods. */
export const methodNotAllowed = (allow: readonly string[]): Problem =>
  new Problem("method-not-allowed", `Use ${allow.join(" or ")} on this path.`, {
    headers: { Allow: allow.join(", ") },
  });

/** 409; `detail` says what stands in the way and what to do. */
export const conflict = (detail: string): Problem => new Problem("conflict", detail);

/** 409 while the first request with the same Idempotency-Key is at work. */
export const stillRunning = (): Problem =>
  new Problem("conflict", "The first request with this Idempotency-Key is still running.", {
    headers: { "Retry-After": "1" },
  });

/** 422 for an Idempotency-Key that belongs to another request. */
export const idempotencyMismatch = (): Problem =>
  new Problem(
    "idempotency-mismatch",
    "This Idempotency-Key was used within the last 24 hours with another body.",
  );

/** 413; `limit` in bytes. */
export const payloadTooLarge = (limit: number): Problem =>
  new Problem("payload-too-large", `The body may have at most ${limit} bytes.`, {
    members: { limit },
  });

/** 415 on an endpoint that reads JSON. */
export const unsupportedMediaType = (): Problem =>
  new Problem("unsupported-media-type", "Send the body with Content-Type: application/json.");

/** 429 until the window ends; `now` in Unix milliseconds. */
export const rateLimitExceeded = (rateLimit: RateLimit, now: number): Problem => {
  const retryAfter = Math.max(1, Math.ceil((rateLimit.resetsAt - now) / 1_000));
  return new Problem("rate-limit-exceeded", `Too many requests. Try again in ${retryAfter} s.`, {
    headers: { "Retry-After": String(retryAfter) },
    rateLimit,
  });
};

/** 503; `what` could not be reached. */
export const serviceUnavailable = (what: string, cause?: unknown): Problem =>
  new Problem("service-unavailable", `${what} is busy or cannot be reached. Try again shortly.`, {
    headers: { "Retry-After": "5" },
    cause,
  });

/** 500. The cause goes to the log and nowhere else. */
export const internalError = (cause: unknown): Problem =>
  new Problem("internal-error", "Something went wrong on our side.", { cause });
