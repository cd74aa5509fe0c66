import { AsyncLocalStorage } from "node:async_hooks";
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { callTimeoutMs } from "./env.ts";

type Strategy = Extract<
  NonNullable<DynamoDBClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;
type ErrorInfo = Parameters<Strategy["refreshRetryTokenForRetry"]>[1];

/** Maximum time of a call with its retries, in call timeouts. */
const timeoutsPerCall = 2;
const firstDelayMs = 25;
const maxDelayMs = 1_000;
/** Kept for the response itself, in milliseconds. */
const responseMs = 1_000;

/**
 * Time that calls of one caller may fail, in total since a retry succeeded, before none is retried,
 * so that a refusal takes seconds.
 */
const failingMs = 5_000;

/** Time during which calls failed, of simultaneous ones once. Times in milliseconds. */
type Failing = { total: number; countedUntil: number };

const callers = new AsyncLocalStorage<{ respondBy: number; failing: Failing }>();

/**
 * Runs work for a caller who waits until `respondBy`, Unix milliseconds: no AWS call in it is retried beyond that, nor
 * after its calls failed for 5 s without a retry that succeeded.
 */
export const withinCallersTime = <Result>(respondBy: number, work: () => Result): Result => {
  const failing = callers.getStore()?.failing ?? { total: 0, countedUntil: 0 };
  return callers.run({ respondBy, failing }, work);
};

/**
 * Runs work that must not be lost for its caller's time, such as storing a finished step: its AWS calls are retried as
 * without a waiting caller.
 */
export const withFullTime = <Result>(work: () => Result): Result =>
  callers.run({ respondBy: 0, failing: { total: 0, countedUntil: 0 } }, work);

const countFailure = (since: number, now: number): void => {
  const failing = callers.getStore()?.failing;
  if (!failing) return;
  failing.total += Math.max(0, now - Math.max(since, failing.countedUntil));
  failing.countedUntil = now;
};

/** Returns until when a call that starts `now` is retried, Unix milliseconds; what outlives its caller has the full time. */
export const retryUntil = (now: number): number => {
  const longest = now + timeoutsPerCall * callTimeoutMs();
  const caller = callers.getStore();
  if (!caller || now >= caller.respondBy) return longest;
  return Math.min(longest, caller.respondBy - responseMs, now + failingMs - caller.failing.total);
};

/** Returns the delay before a retry in milliseconds, with full jitter. `attempt` starts at 1. */
export const retryDelayMs = (attempt: number): number =>
  Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** attempt);

const throttles: ReadonlySet<unknown> = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "SlowDown",
  "ThrottlingException",
  "TooManyRequestsException",
  "TransactionConflictException",
  "TransactionInProgressException",
]);
const reasonsToRetry: ReadonlySet<unknown> = new Set([
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
  "ThrottlingError",
  "TransactionConflict",
]);

/** Whether a statement of a batch that failed with this code may succeed later. */
export const mayRetryStatement = (code: string | undefined): boolean =>
  code === "InternalServerError" || reasonsToRetry.has(code);

const networkCodes: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Thrown when a service has left a part of a batch undone for as long as it may be retried. */
export class ServiceBusyError extends Error {
  override name = "ServiceBusyError";
}

/** The SDK sets `$metadata` on every error that it throws. */
type AwsError = Error & {
  $metadata: { httpStatusCode?: number; clockSkewCorrected?: boolean };
  code?: unknown;
  CancellationReasons?: readonly { Code?: string }[];
};

const isAwsError = (error: unknown): error is AwsError =>
  error instanceof Error && "$metadata" in error;

/** Returns whether the outcome of the call is unknown: a 5xx, a lost connection, a timeout. */
export const isAmbiguous = (error: unknown): boolean =>
  error instanceof Error &&
  !throttles.has(error.name) &&
  (networkCodes.has("code" in error ? error.code : undefined) ||
    error.name === "TimeoutError" ||
    (isAwsError(error) && (error.$metadata.httpStatusCode ?? 0) >= 500));

const isTransientCancellation = ({ CancellationReasons = [] }: AwsError): boolean => {
  const codes = CancellationReasons.map(({ Code }) => Code ?? "None").filter(
    (code) => code !== "None",
  );
  return codes.length > 0 && codes.every((code) => reasonsToRetry.has(code));
};

/**
 * Whether an error of the SDK means that a service is busy or out of reach, so that the same call may succeed
 * later: throttles, transaction conflicts, 5xx, lost connections, timeouts.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceBusyError ||
  (isAwsError(error) &&
    (throttles.has(error.name) || isAmbiguous(error) || isTransientCancellation(error)));

/** Errors of signatures with a wrong time. The SDK corrects its clock for the next attempt. */
const clockErrors: ReadonlySet<unknown> = new Set([
  "AccessDeniedException",
  "AuthFailure",
  "InvalidSignatureException",
  "RequestExpired",
  "RequestInTheFuture",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);

/**
 * Whether a call that failed may be made again. While the clock differs from the service's by minutes, the SDK marks every
 * error as corrected and classifies it as transient, failed conditions included.
 */
const mayRetryCall = ({ error, errorType }: ErrorInfo): boolean => {
  if (isUnavailable(error)) return true;
  const isMarked = isAwsError(error) && error.$metadata.clockSkewCorrected === true;
  return isMarked ? clockErrors.has(error.name) : errorType !== "CLIENT_ERROR";
};

type Attempts = { since: number; until: number };
type Token = ReturnType<typeof createRetryToken>;

/** `since`: when the attempt that may fail starts, `until`: when none follows it. Unix milliseconds. */
const createRetryToken = (count: number, { since, until }: Attempts, delayMs: number) => ({
  since,
  until,
  getRetryCount: () => count,
  getRetryDelay: () => delayMs,
});

/**
 * The retry policy of every AWS client: what `mayRetryCall` is retried with full jitter within the caller's
 * time. The SDK's own stops after a few attempts, and never retries transaction conflicts.
 */
export const awsRetries = (clock: () => number = Date.now) => ({
  acquireInitialRetryToken: async () => {
    const since = clock();
    return createRetryToken(0, { since, until: retryUntil(since) }, 0);
  },
  refreshRetryTokenForRetry: async (
    token: Pick<Token, "getRetryCount"> & Partial<Attempts>,
    info: ErrorInfo,
  ) => {
    const { error } = info;
    const count = token.getRetryCount() + 1;
    const now = clock();
    const delayMs = retryDelayMs(count);
    const mayRetry = mayRetryCall(info);
    if (mayRetry) countFailure(token.since ?? now, now);
    const until = Math.min(token.until ?? 0, retryUntil(now));
    if (!mayRetry || now + delayMs >= until) throw error ?? new ServiceBusyError("no error");
    return createRetryToken(count, { since: now, until }, delayMs);
  },
  recordSuccess: (token: Pick<Token, "getRetryCount">) => {
    const failing = callers.getStore()?.failing;
    if (failing && token.getRetryCount() > 0) failing.total = 0;
  },
});
