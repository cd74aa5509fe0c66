import type { ExecutionRecord } from "../record/execution-record.ts";
import type { ExecutionStatus } from "../schemas.ts";
import { parseScoreValue, type ScoreValue, type StoredScores } from "../scores.ts";
import type { MatchExecution } from "./list-executions.ts";

/** Values by name, of the query parameters that start with a prefix. */
type Named<Value> = Record<string, Value> | undefined;

/** Filters of a list of executions, as its query parameters. */
export type ExecutionFilters = {
  status?: ExecutionStatus | undefined;
  revision?: number | undefined;
  triggerType?: number | undefined;
  traceId?: string | undefined;
  error?: string | undefined;
  minCost?: number | undefined;
  maxCost?: number | undefined;
  "metadata.{name}"?: Named<string>;
  "score.{name}"?: Named<string>;
  "minScore.{name}"?: Named<number>;
  "maxScore.{name}"?: Named<number>;
};

/** Returns the test that an execution must pass; undefined when no filter is given. */
export const toFilter = (filters: ExecutionFilters): MatchExecution | undefined => {
  const tests = listTests(filters);
  return tests.length === 0
    ? undefined
    : (item, scores) => tests.every((isMatch) => isMatch(item, scores));
};

const listTests = (filters: ExecutionFilters): MatchExecution[] => {
  const { status, revision, triggerType, traceId, error, minCost, maxCost } = filters;
  return [
    ...when(status, (value) => (item) => item.status === value),
    ...when(revision, (value) => (item) => item.agentRevision === value),
    ...when(triggerType, (value) => (item) => item.trigger.type === value),
    ...when(traceId, (value) => (item) => item.traceId === value),
    ...when(error, (value) => matchError(value)),
    ...when(minCost, (value) => (item) => item.totalCost >= value),
    ...when(maxCost, (value) => (item) => item.totalCost <= value),
    ...listNamed(
      filters["metadata.{name}"],
      (name, value) =>
        ({ metadata = {} }) =>
          Object.hasOwn(metadata, name) && metadata[name] === value,
    ),
    ...listNamed(filters["score.{name}"], (name, value) =>
      matchScore(name, (score) => String(score) === value),
    ),
    ...listNamed(filters["minScore.{name}"], (name, value) =>
      matchScore(name, (score) => typeof score !== "string" && Number(score) >= value),
    ),
    ...listNamed(filters["maxScore.{name}"], (name, value) =>
      matchScore(name, (score) => typeof score !== "string" && Number(score) <= value),
    ),
  ];
};

const when = <Value>(
  value: Value | undefined,
  build: (value: Value) => MatchExecution,
): MatchExecution[] => (value === undefined ? [] : [build(value)]);

const listNamed = <Value>(
  named: Named<Value>,
  build: (name: string, value: Value) => MatchExecution,
): MatchExecution[] => Object.entries(named ?? {}).map(([name, value]) => build(name, value));

/** Matches a text in any case in the type of the error or the start of its detail. */
const matchError = (text: string): MatchExecution => {
  const wanted = text.toLowerCase();
  return ({ errorType, errorDetail }: ExecutionRecord) =>
    errorType !== null && `${errorType}\n${errorDetail ?? ""}`.toLowerCase().includes(wanted);
};

/** Matches executions of which a score with the name fits; other scores of that name do not matter. */
const matchScore =
  (name: string, isMatch: (value: ScoreValue) => boolean): MatchExecution =>
  (_, scores: StoredScores = {}) =>
    Object.values(scores).some((score) => score.name === name && isMatch(parseScoreValue(score)));
