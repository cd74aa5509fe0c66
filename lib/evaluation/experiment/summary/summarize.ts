import { dollars } from "../../../engine/models/sums.ts";
import type { ResultItem } from "../items.ts";
import type { SummaryRow } from "../schemas.ts";
import { bootstrapInterval, computeMean, computeQuantile } from "./statistics.ts";

/** The members of a result that a summary needs. */
export type SummarizedResult = Pick<
  ResultItem,
  "revision" | "exampleId" | "status" | "cost" | "priced" | "durationMs"
> & {
  cut?: string | null;
  scores: readonly Pick<ResultItem["scores"][number], "scorer" | "value" | "passed">[];
};

/** The experiment that is summarized; its id seeds the intervals. */
export type Summarized = { id: string; revisions: readonly number[]; scorers: readonly string[] };

type OfScorer = {
  /** Means of the examples before the current one. */
  means: number[];
  /** Scores of the current example. */
  current: number[];
  count: number;
  passed: number;
  failures: number;
  unscored: number;
};
type OfRevision = {
  example: string | undefined;
  cost: number;
  priced: boolean;
  durations: number[];
  scorers: ReadonlyMap<string, OfScorer>;
};

/**
 * Summarizes results that arrive in the order of their keys, so that the repetitions of an example are adjacent. Holds
 * numbers only: one per run, and one per example and scorer. Runs that were cancelled or cut short count for the cost
 * alone, missing scores of scorers that were cut short for nothing.
 */
export const summarize = async (
  { id, revisions, scorers }: Summarized,
  results: AsyncIterable<SummarizedResult> | Iterable<SummarizedResult>,
): Promise<SummaryRow[]> => {
  const all = new Map(revisions.map((revision) => [revision, newRevision(scorers)]));
  for await (const result of results) {
    const revision = all.get(result.revision);
    if (revision) add(revision, result);
  }
  return [...all].flatMap(([revision, sums]) => {
    for (const sum of sums.scorers.values()) closeExample(sum);
    const durations = Float64Array.from(sums.durations).sort();
    const totals = {
      totalCost: dollars(sums.cost),
      priced: sums.priced,
      p50Ms: computeQuantile(durations, 0.5),
      p95Ms: computeQuantile(durations, 0.95),
    };
    return [...sums.scorers].map(([scorer, { means, count, passed, failures, unscored }]) => ({
      revision,
      scorer,
      mean: computeMean(means),
      interval: bootstrapInterval(means, `${id}/${revision}/${scorer}`),
      passRate: count === 0 ? null : passed / count,
      count,
      failures,
      unscored,
      ...totals,
    }));
  });
};

const newRevision = (scorers: readonly string[]): OfRevision => ({
  example: undefined,
  cost: 0,
  priced: true,
  durations: [],
  scorers: new Map(
    scorers.map((scorer) => [
      scorer,
      { means: [], current: [], count: 0, passed: 0, failures: 0, unscored: 0 },
    ]),
  ),
});

const add = (revision: OfRevision, result: SummarizedResult): void => {
  revision.cost += result.cost;
  revision.priced &&= result.priced;
  const { status, cut = null } = result;
  if (status === "Cancelled" || (cut !== null && status !== "Succeeded")) return;
  if (result.durationMs !== null) revision.durations.push(result.durationMs);
  if (revision.example !== result.exampleId) {
    for (const sum of revision.scorers.values()) closeExample(sum);
    revision.example = result.exampleId;
  }
  for (const [scorer, sum] of revision.scorers) {
    const score = result.scores.find((candidate) => candidate.scorer === scorer);
    const hasValue = score && score.value !== null;
    if (status !== "Succeeded" || (!hasValue && cut === null)) sum.failures += 1;
    if (status === "Succeeded" && !hasValue) sum.unscored += 1;
    if (!score || score.value === null) continue;
    sum.current.push(score.value);
    sum.count += 1;
    if (score.passed) sum.passed += 1;
  }
};

const closeExample = (sum: OfScorer): void => {
  const mean = computeMean(sum.current);
  if (mean !== null) sum.means.push(mean);
  sum.current = [];
};
