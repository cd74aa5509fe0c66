import { ProblemError } from "../../../client/problem-error.ts";
import { formatScore } from "./format.ts";

/** The parts of an error that are shown. */
export type ShownProblem = {
  title: string;
  detail: string;
  fields: readonly { pointer: string; detail: string }[];
  requestId: string | undefined;
};

const forbidden = (error: ProblemError): ShownProblem => {
  const { requiredScope } = error.problem;
  const scope = typeof requiredScope === "string" ? ` It needs the scope ${requiredScope}.` : "";
  return {
    title: "You may not do this",
    detail: `${error.detail}${error.detail.includes(String(requiredScope)) ? "" : scope}`,
    fields: [],
    requestId: error.requestId,
  };
};

/** A score that a revision did not reach; `value` is null without a score. */
export type Shortfall = { scorer: string; value: number | null; minimum: number };

const isShortfall = (value: unknown): value is Shortfall =>
  typeof value === "object" &&
  value !== null &&
  "scorer" in value &&
  "value" in value &&
  "minimum" in value;

/** Returns the scores that a deployment required and its revision did not reach; none for other errors. */
export const readShortfalls = (error: unknown): readonly Shortfall[] => {
  if (!(error instanceof ProblemError)) return [];
  const { shortfalls } = error.problem;
  return Array.isArray(shortfalls) ? shortfalls.filter(isShortfall) : [];
};

const fellShort = (error: ProblemError, shortfalls: readonly Shortfall[]): ShownProblem => ({
  title: "The revision fell short",
  detail: error.detail,
  fields: shortfalls.map(({ scorer, value, minimum }) => ({
    pointer: scorer,
    detail: `${value === null ? "no score" : formatScore(value)}, at least ${minimum} is required`,
  })),
  requestId: error.requestId,
});

/** Converts an error to its shown parts. */
export const shownProblem = (error: unknown): ShownProblem => {
  if (error instanceof ProblemError) {
    if (error.status === 403) return forbidden(error);
    const shortfalls = readShortfalls(error);
    if (shortfalls.length > 0) return fellShort(error, shortfalls);
    const { title, detail, fields, requestId } = error;
    return { title, detail, fields, requestId };
  }
  const detail = error instanceof Error ? error.message : String(error);
  const isNetwork = error instanceof TypeError;
  return {
    title: isNetwork ? "The API cannot be reached" : "Something went wrong",
    detail: isNetwork ? "Check your connection, then try again." : detail,
    fields: [],
    requestId: undefined,
  };
};

/** Returns the detail of the fields at or below a pointer, such as `/scopes`; undefined if none was refused. */
export const fieldError = (error: unknown, pointer: string): string | undefined => {
  if (!(error instanceof ProblemError)) return undefined;
  const details = problemsAt(error.fields, pointer).map(({ detail }) => detail);
  return details.length === 0 ? undefined : details.join("; ");
};

/** A refused member: a pointer and the reason. */
export type PointedProblem = { pointer: string; detail: string };

/** Returns the problems at or below a pointer, with pointers from there. */
export const problemsAt = (
  problems: readonly PointedProblem[],
  pointer: string,
): PointedProblem[] =>
  problems
    .filter((problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`))
    .map((problem) => ({ ...problem, pointer: problem.pointer.slice(pointer.length) }));

/** Returns the refused members at or below a pointer, with pointers from there. */
export const refusedAt = (error: unknown, pointer: string): PointedProblem[] =>
  error instanceof ProblemError ? problemsAt(error.fields, pointer) : [];

/** Reports whether a resource does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 404;
