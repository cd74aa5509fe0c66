import type { ProblemSlug } from "./problem-registry.ts";
import type { RateLimit } from "./rate-limit.ts";
import { hasOwnPath } from "./text-value.ts";

/** A validation error; `pointer` is a JSON pointer into the body, or as the help of `validation-failed` says. */
export type ValidationIssue = { pointer: string; detail: string };

/** An error that ends a request with an `application/problem+json` response. Only the functions below create it. */
export class Problem extends Error {
  override name = "Problem";
  readonly slug: ProblemSlug;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The exceeded rate limit of a 429. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether the request counts against the unauthenticated rate limit of its source address. */
  readonly isRefusal: boolean;

  constructor(
    slug: ProblemSlug,
    detail: string,
    { members = {}, headers = {}, rateLimit, isRefusal = false, cause }: ProblemExtras = {},
  ) {
    super(detail, { cause });
    this.slug = slug;
    // Undefined members are serialized as null.
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
  rateLimit?: RateLimit | undefined;
  isRefusal?: boolean;
  cause?: unknown;
};

/** Returns a problem with further members. */
export const addMembers = (problem: Problem, members: Record<string, unknown>): Problem =>
  new Problem(problem.slug, problem.message, {
    ...problem,
    members: { ...problem.members, ...members },
    cause: problem.cause,
  });

/** 400 that lists every validation error. */
export const validationFailed = (errors: readonly ValidationIssue[]): Problem => {
  const whole = errors.find(({ detail }) => hasOwnPath(detail));
  const listed = errors
    .map(({ pointer, detail }) => `${pointer || "The body"}: ${detail}`)
    .join("; ");
  return new Problem("validation-failed", (whole?.detail ?? listed).slice(0, 500), {
    members: { errors },
  });
};

/** 400 for a body that is not JSON. */
export const malformedJson = (detail: string): Problem => new Problem("malformed-json", detail);

/** 400 for more than one credential. */
export const ambiguousCredentials = (): Problem =>
  new Problem("ambiguous-credentials", "Send one credential: a bearer token or an API key.");

const challenge = { "WWW-Authenticate": 'Bearer realm="wharf", ApiKey header="X-API-KEY"' };

const sendCredentials =
  "Send a valid API key in X-API-KEY or a user token in Authorization: Bearer.";

/** 401. The detail does not disclose why authentication failed. */
export const unauthenticated = (detail = sendCredentials): Problem =>
  new Problem("unauthenticated", detail, { headers: challenge, isRefusal: true });

/** Returns the 401 of a path that also accepts an API key as a bearer token, with a detail that says so; any other error as it is. */
export const nameBearerKey = (error: unknown): unknown =>
  error instanceof Problem && error.message === sendCredentials
    ? unauthenticated(
        "Send a valid API key or user token in Authorization: Bearer, or an API key in X-API-KEY.",
      )
    : error;

/** 403 for a provider's verification of an inbound address with other values than the expected ones. */
export const verificationFailed = (detail: string): Problem =>
  new Problem("verification-failed", detail, { isRefusal: true });

/** 401 for an expired key or token. */
export const credentialsExpired = (): Problem =>
  new Problem("credentials-expired", "The credentials have expired.", {
    headers: challenge,
    isRefusal: true,
  });

/** 403 for a caller without the scope that the route requires. */
export const insufficientScope = (requiredScope: string): Problem =>
  new Problem("insufficient-scope", `This call needs the scope ${requiredScope}.`, {
    members: { requiredScope },
  });

/**
 * 403 for a user, or a key that a user created, without the role at an agent that the call
 * requires.
 */
export const insufficientRole = (
  requiredScope: string,
  role: { held: string; required: string; agentId: string; isKey: boolean },
): Problem =>
  new Problem(
    "insufficient-scope",
    `${role.isKey ? "This key is limited by its user's role" : "Your role"} at the agent "${role.agentId}", ${role.held}; this call needs the role ${role.required}.`,
    { members: { requiredScope } },
  );

/** 403 for a caller who may not decide an approval; `detail` states who may. */
export const notApprover = (detail: string): Problem =>
  new Problem("insufficient-scope", detail, { members: { requiredScope: "agents:execute" } });

/** 402 for an agent with a spent monthly budget; `budget` is the public budget. */
export const budgetExceeded = (
  detail: string,
  budget: Readonly<Record<string, unknown>>,
): Problem => new Problem("budget-exceeded", detail, { members: { budget } });

/** 422 for an input that a guardrail blocked; `detail` does not have it. */
export const guardrailBlocked = (
  detail: string,
  { guardrail, check }: { readonly guardrail: string; readonly check: string },
): Problem => new Problem("guardrail-blocked", detail, { members: { guardrail, check } });

/** 403 for granting scopes that the caller lacks. */
export const scopeEscalation = (scopes: readonly string[]): Problem =>
  new Problem("scope-escalation", `The caller does not have these scopes: ${scopes.join(", ")}.`, {
    members: { scopes },
  });

/** 403 for granting a later expiry than the caller's own; `own` in Unix milliseconds. */
export const expiryEscalation = (own: number): Problem => {
  const expiresAt = new Date(own).toISOString();
  return new Problem(
    "scope-escalation",
    `Your own key expires at ${expiresAt}: send an expiresAt that is not later.`,
    { members: { expiresAt } },
  );
};

/** 404 for a resource. The id comes from the request, so returning it discloses nothing. */
export const notFound = (kind: string, id: string): Problem =>
  new Problem("not-found", noSuch(kind, id));

/** 404 for a tenant or an inbound address, which counts against the source address. */
export const unknownAddress = (kind: string, id: string): Problem =>
  new Problem("not-found", noSuch(kind, id), { isRefusal: true });

/** 404 for an address that is signed wrong, which counts against the source address. */
export const unknownLink = (): Problem =>
  new Problem("not-found", "The link does not exist, or is incomplete.", { isRefusal: true });

/** 401 for a link that has expired. */
export const linkExpired = (): Problem =>
  new Problem("credentials-expired", "The link has expired.", { isRefusal: true });

/** 409 for a link that was used; counts against the source address. */
export const linkUsed = (): Problem =>
  new Problem("conflict", "The link was used. It accepts one request.", { isRefusal: true });

const noSuch = (kind: string, id: string): string => `There is no ${kind} "${id.slice(0, 200)}".`;

/** 404 for a GET of an inbound address if its provider does not verify addresses. */
export const noCheckByGet = (provider: string): Problem =>
  new Problem(
    "not-found",
    `${provider} does not verify addresses with GET. Send deliveries with POST.`,
  );

/** 404 for a path that is longer than any route's; `limit` in characters. */
export const pathTooLong = (limit: number): Problem =>
  new Problem("not-found", `The route does not exist. Paths have at most ${limit} characters.`);

/** 404 for a path that matches no route. */
export const unknownRoute = (): Problem =>
  new Problem("not-found", "The route does not exist. GET /v1/openapi.json lists all routes.");

/** 405 for a path that supports other methods. */
export const methodNotAllowed = (allow: readonly string[]): Problem =>
  new Problem("method-not-allowed", `Use ${allow.join(" or ")} on this path.`, {
    headers: { Allow: allow.join(", ") },
  });

/** 409; `detail` states the cause and the remedy. */
export const conflict = (detail: string, cause?: unknown): Problem =>
  new Problem("conflict", detail, { cause });

/** 409 for an approval that was decided otherwise, or has ended; `approval` is the public one. */
export const approvalEnded = (
  detail: string,
  approval: Readonly<Record<string, unknown>>,
): Problem => new Problem("conflict", detail, { members: { approval } });

/** 409 for a resource that another request is changing, with Retry-After. */
export const beingChanged = (kind: string, id: string): Problem =>
  new Problem("conflict", `The ${kind} "${id}" is being changed by others. Try again.`, {
    headers: { "Retry-After": "1" },
  });

/** A score that an experiment's revision did not reach. `value`: null without a score. */
export type Shortfall = { scorer: string; value: number | null; minimum: number };

/** 409 for a revision with lower scores in an experiment than required. */
export const belowMinimumScore = (
  experimentId: string,
  revision: number,
  shortfalls: readonly Shortfall[],
): Problem => {
  const listed = shortfalls
    .map(({ scorer, value, minimum }) => `${scorer}: ${value ?? "no score"} of ${minimum}`)
    .join("; ");
  const detail = `Revision ${revision} fell short in the experiment ${experimentId}: ${listed}.`;
  return new Problem("conflict", detail.slice(0, 500), { members: { shortfalls } });
};

/** 409 while the first request with the same Idempotency-Key is in progress. */
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

/** 415 for an endpoint that accepts JSON only. */
export const unsupportedMediaType = (): Problem =>
  new Problem("unsupported-media-type", "Send the body with Content-Type: application/json.");

/** 415 for a body that is no form. */
export const notForm = (): Problem =>
  new Problem(
    "unsupported-media-type",
    "Send the body with Content-Type: application/x-www-form-urlencoded.",
  );

/** 400 for a form with too many members. */
export const malformedForm = (most: number): Problem =>
  validationFailed([{ pointer: "", detail: `may have at most ${most} members` }]);

/** 429 until the window ends; `now` in Unix milliseconds. */
export const rateLimitExceeded = (rateLimit: RateLimit, now: number): Problem => {
  const retryAfter = Math.max(1, Math.ceil((rateLimit.resetsAt - now) / 1_000));
  return new Problem("rate-limit-exceeded", `Too many requests. Try again in ${retryAfter} s.`, {
    headers: { "Retry-After": String(retryAfter) },
    rateLimit,
  });
};

/** 429 while as many calls of the tenant are in progress as may be; `instead`: the remedy without waiting. */
export const slotsTaken = (instead?: string): Problem =>
  new Problem(
    "rate-limit-exceeded",
    `Too many calls of this operation are in progress for the tenant. ${instead === undefined ? "Try" : `${instead}, or try`} again in ${slotRetrySeconds} s.`,
    { headers: { "Retry-After": String(slotRetrySeconds) } },
  );
const slotRetrySeconds = 2;

/** 503; `what` is busy or unreachable. */
export const serviceUnavailable = (what: string, cause?: unknown): Problem =>
  new Problem("service-unavailable", `${what} is busy or cannot be reached. Try again shortly.`, {
    headers: { "Retry-After": "5" },
    cause,
  });

/** 500. The cause is logged, never returned. */
export const internalError = (cause: unknown): Problem =>
  new Problem("internal-error", "Something went wrong on our side.", { cause });
