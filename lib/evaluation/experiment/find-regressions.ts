import type { ResultItem } from "./items.ts";
import { computeMean } from "./summary/statistics.ts";

/** The results of one example with two revisions. */
export type ComparedExample = { before: readonly ResultItem[]; after: readonly ResultItem[] };

/** A scorer with a lower mean. */
export type Regression = { scorer: string; before: number; after: number };

const meanBy = (results: readonly ResultItem[], scorer: string): number | null =>
  computeMean(
    results.flatMap(({ scores }) =>
      scores.flatMap((score) =>
        score.scorer === scorer && score.value !== null ? [score.value] : [],
      ),
    ),
  );

/** Returns the scorers with a lower mean over an example's repetitions. */
export const findRegressions = (
  { before, after }: ComparedExample,
  scorers: readonly string[],
): Regression[] =>
  scorers.flatMap((scorer) => {
    const means = { before: meanBy(before, scorer), after: meanBy(after, scorer) };
    if (means.before === null || means.after === null || means.after >= means.before) return [];
    return [{ scorer, before: means.before, after: means.after }];
  });

/** Returns the repetitions that show the regression: the best before, and the worst after. */
export const chooseRepetitions = (
  { before, after }: ComparedExample,
  scorers: readonly string[],
): { before: ResultItem | undefined; after: ResultItem | undefined } => {
  const sumMeans = (result: ResultItem): number =>
    scorers.reduce((sum, scorer) => sum + (meanBy([result], scorer) ?? 0), 0);
  const byScore = (one: ResultItem, other: ResultItem): number => sumMeans(one) - sumMeans(other);
  return { before: before.toSorted(byScore).at(-1), after: after.toSorted(byScore).at(0) };
};
