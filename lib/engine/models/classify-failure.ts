import * as z from "zod";
import { isRecord } from "../../values/json/json.ts";
import { parseJson } from "../../values/json/parse-json.ts";
import type { FailureReason } from "./model-failure.ts";

/** A service's error: its status, and what its body or an event says. */
export type ServiceError = {
  readonly status: number | undefined;
  /** Types, codes and messages; never shown. */
  readonly words: string;
};

/** Why a service failed, and after which time it may be called again, if the error tells. */
export type Classified = {
  readonly reason: FailureReason | undefined;
  readonly retryAfterMs: number | undefined;
};

const dayMs = 86_400_000;

const contextExceeded =
  /context_length_exceeded|context_window|maximum context|context (length|limit|window)|(prompt|input) is too long|request_too_large|too many input tokens|token count .{0,40}exceeds/i;
const refused =
  /content_filter|content_policy|responsible_?ai|usage polic|content (management )?polic|content filter|safety system|PROHIBITED_CONTENT/i;
const quota = /insufficient_quota|billing_hard_limit|quota_exceeded|PerDay/;
const overloaded = /overloaded|slow_down|at capacity/i;
const rateLimited = /rate_?limit|throttl|RESOURCE_EXHAUSTED|TooManyRequests/i;
const timedOut = /timeout|timed_out|DEADLINE_EXCEEDED/i;
const misconfigured =
  /invalid_|unknown_parameter|unsupported_|validation|authentication|permission|not_found|unauthenticated|access_?denied/i;

/** Returns why a service failed that responded with an error's status. Undefined reasons are one's own mistakes. */
export const classifyFailure = (error: ServiceError): Classified =>
  classify(error, ofStatus(error));

/** Returns why a service failed that reported an error in a response of status 200; its words say more than a status. */
export const classifyReportedFailure = (error: ServiceError): Classified => {
  const inWords = reasons.find(([words]) => words.test(error.words));
  if (inWords) return classify(error, inWords[1]);
  return classify(error, error.status === undefined ? "unavailable" : ofStatus(error));
};

const reasons: readonly (readonly [RegExp, FailureReason | undefined])[] = [
  [contextExceeded, "context-exceeded"],
  [refused, "refused"],
  [quota, "rate-limited"],
  [rateLimited, "rate-limited"],
  [overloaded, "overloaded"],
  [timedOut, "timeout"],
  [misconfigured, undefined],
];

const classify = (error: ServiceError, reason: FailureReason | undefined): Classified => ({
  reason,
  retryAfterMs: reason === "rate-limited" ? findDelay(error) : undefined,
});

const ofStatus = ({ status = 0, words }: ServiceError): FailureReason | undefined => {
  switch (status) {
    case 402:
    case 429:
      return "rate-limited";
    case 408:
    case 504:
    case 524:
      return "timeout";
    case 413:
      return "context-exceeded";
    case 424:
      return "unavailable";
    case 529:
      return "overloaded";
    default:
  }
  if (status >= 500) return overloaded.test(words) ? "overloaded" : "unavailable";
  if (status !== 400 && status !== 422) return undefined;
  if (contextExceeded.test(words)) return "context-exceeded";
  return refused.test(words) ? "refused" : undefined;
};

/** Returns the delay that an error of Google tells, and a day for a quota that no delay restores. */
const findDelay = ({ status, words }: ServiceError): number | undefined => {
  if (status === 402 || quota.test(words)) return dayMs;
  const [, seconds] = /retryDelay\W{1,6}(\d{1,6})(?:\.\d{1,9})?s/.exec(words) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
};

const Described = z.object({
  statusCode: z.int().optional().catch(undefined),
  status: z.unknown().optional(),
  type: z.unknown().optional(),
  code: z.unknown().optional(),
  message: z.unknown().optional(),
  responseBody: z.unknown().optional(),
});

/**
 * Reads an error that a response of status 200 contains, as a whole or as an event: as the AI SDK reports it, or as the
 * service sent it. Undefined for an error that no service sent.
 */
export const readServiceError = (error: unknown): ServiceError | undefined => {
  if (typeof error === "string") return { status: undefined, words: error };
  if (!isRecord(error) && !(error instanceof Error)) return undefined;
  const { data } = Described.safeParse(error);
  if (!data) return undefined;
  const { statusCode, status, type, code, message, responseBody } = data;
  if (error instanceof Error && statusCode === undefined) return undefined;
  const inBody = readErrorBody(responseBody);
  // A response that cannot be parsed.
  if (statusCode === 200 && !inBody) return undefined;
  const words = [inBody?.words, status, type, code, message].filter(
    (word) => typeof word === "string",
  );
  const ownStatus = statusCode === 200 ? undefined : statusCode;
  return { status: inBody?.status ?? toStatus(code) ?? ownStatus, words: words.join(" ") };
};

/** Reads the error that a response of status 200 is; undefined for another body. */
export const readErrorBody = (body: unknown): ServiceError | undefined => {
  const parsed = typeof body === "string" ? parseJson(body) : { ok: true as const, value: body };
  const error = parsed.ok && isRecord(parsed.value) ? parsed.value.error : undefined;
  return isRecord(error) || typeof error === "string" ? readServiceError(error) : undefined;
};

/** Compatible servers report a status as the code of an error in a stream. */
const toStatus = (code: unknown): number | undefined => {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
};
