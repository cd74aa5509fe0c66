import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ExecutionRecord, StoredExecution } from "../record/execution-record.ts";
import { executionFilters } from "../schemas.ts";
import { type StoredScores, toStoredScore } from "../scores.ts";
import { toFilter } from "./list-tenant-executions.ts";

const item: Pick<
  ExecutionRecord,
  "status" | "errorType" | "errorDetail" | "totalCost" | "metadata"
> = {
  status: "Failed",
  errorType: "execution-failed",
  errorDetail: 'The step "ask" failed: Rate LIMIT of the model.',
  totalCost: 0.25,
  metadata: { ticket: "7" },
};

const score = (name: string, value: number | boolean | string) =>
  toStoredScore({
    name,
    value,
    spanId: null,
    comment: null,
    source: "Api",
    createdAt: 1,
    createdBy: null,
  });

const scores: StoredScores = {
  a: score("helpful", false),
  b: score("quality", 0.4),
  c: score("quality", 0.9),
  d: score("tone", "rude"),
};

const Query = z.object(executionFilters);
type Query = z.input<typeof Query>;

const isMatch = (
  query: Query,
  of: Partial<typeof item> = {},
  its: StoredScores | undefined = scores,
) =>
  toFilter(Query.parse(query))?.(
    { ...item, ...of } as ExecutionRecord,
    { scores: its } as StoredExecution,
  );

describe("a filter of executions", () => {
  test("is none without a parameter", () => {
    expect(toFilter(Query.parse({}))).toBeUndefined();
  });

  test.each<[Query, boolean]>([
    [{ error: "rate limit" }, true],
    [{ error: "EXECUTION-FAILED" }, true],
    [{ error: "failedthe" }, false],
    [{ error: "timeout" }, false],
    [{ minCost: "0.25", maxCost: "0.25" }, true],
    [{ minCost: "0.2500001" }, false],
    [{ maxCost: "2e-1" }, false],
    [{ "score.{name}": { helpful: "false" } }, true],
    [{ "score.{name}": { helpful: "0" } }, false],
    [{ "score.{name}": { tone: "rude", quality: "0.9" } }, true],
    [{ "score.{name}": { quality: "0.5" } }, false],
    [{ "maxScore.{name}": { quality: "0.4" } }, true],
    [{ "maxScore.{name}": { quality: "0.3" } }, false],
    [{ "minScore.{name}": { quality: "0.9" } }, true],
    [{ "minScore.{name}": { quality: "0.95" } }, false],
    [{ "maxScore.{name}": { helpful: "0" } }, true],
    [{ "maxScore.{name}": { tone: "1" } }, false],
    [{ "maxScore.{name}": { missing: "1" } }, false],
    [{ "maxScore.{name}": { constructor: "1" } }, false],
    [{ "metadata.{name}": { ticket: "7" }, error: "rate", minCost: "0" }, true],
    [{ "metadata.{name}": { constructor: "7" } }, false],
    [{ status: "Succeeded", error: "rate" }, false],
  ])("%j: %s", (query, expected) => {
    expect(isMatch(query)).toBe(expected);
  });

  test("by error or score leaves out executions without one", () => {
    expect(isMatch({ error: "rate" }, { errorType: null, errorDetail: null })).toBe(false);
    expect(isMatch({ "maxScore.{name}": { quality: "1" } }, {}, {})).toBe(false);
  });

  test.each<Query>([
    { minCost: "-1" },
    { maxCost: "" },
    { maxCost: "1e999" },
    { minCost: "0x10" },
    { error: "" },
    { error: "a".repeat(201) },
    { text: "" },
    { text: "a".repeat(201) },
    { "minScore.{name}": { quality: "high" } },
    { "maxScore.{name}": { quality: "1e10" } },
  ])("with %j is refused", (query) => {
    expect(Query.safeParse(query).success).toBe(false);
  });
});
