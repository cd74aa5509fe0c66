import type { Problem } from "./openapi.ts";

/** A refused member of a request: a JSON pointer into the body, `query/NAME`, `path/NAME` or `line/NUMBER…`. */
export type FieldProblem = { pointer: string; detail: string };

/** Thrown for a response outside 200 to 299, with its problem details (RFC 9457). */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly status: number;
  /** Last segment of the problem's type, such as `validation-failed`; `unknown` without problem details. */
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | undefined;
  /** Seconds after which the request can be repeated. */
  readonly retryAfterSeconds: number | undefined;
  /** All members of the problem, such as `requiredScope`. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Readonly<Record<string, unknown>>, headers?: Headers) {
    const title = asString(problem.title) ?? `HTTP ${status}`;
    const detail = asString(problem.detail) ?? "";
    super(detail === "" ? title : `${title}: ${detail}`);
    this.status = status;
    this.problem = problem;
    this.title = title;
    this.detail = detail;
    this.slug = asString(problem.type)?.split("/").at(-1) ?? "unknown";
    this.fields = parseFields(problem.errors);
    this.requestId = asString(problem.requestId) ?? headers?.get("x-request-id") ?? undefined;
    this.retryAfterSeconds = parseRetryAfter(headers);
  }
}

const asString = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isField = (value: unknown): value is FieldProblem =>
  isRecord(value) && typeof value.pointer === "string" && typeof value.detail === "string";

const parseFields = (errors: unknown): FieldProblem[] =>
  Array.isArray(errors) ? errors.filter(isField) : [];

/** Parses `Retry-After` (RFC 9110), seconds or a date; undefined if it is missing or invalid. */
export const parseRetryAfter = (headers: Headers | undefined): number | undefined => {
  const value = headers?.get("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
};

/** Converts a failed response to an error; a body without problem details becomes its detail. */
export const readProblem = async (response: Response): Promise<ProblemError> => {
  const text = await response.text();
  return new ProblemError(response.status, parseProblem(text), response.headers);
};

const parseProblem = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return "title" in value ? value : { title: asString(value.message) };
  } catch {
    // A proxy's page is not JSON.
  }
  return { detail: text.slice(0, 500) };
};

/** Converts the problem in an event, such as `execution.failed`. */
export const toProblemError = (problem: Problem): ProblemError =>
  new ProblemError(problem.status, problem);
