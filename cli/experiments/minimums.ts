import { isBelowMinimum } from "../../lib/evaluation/experiment/summary/is-below.ts";
import { reachedMean } from "../../lib/evaluation/experiment/summary/reached-mean.ts";
import { usage } from "../exit.ts";
import type { ExperimentDetail } from "./read-experiment.ts";

/** Lowest mean of a scorer. */
export type Minimum = { scorer: string; least: number };

/** Parses `scorer=mean` of `--min`. The scorers must be in the experiment. */
export const parseMinimums = (
  pairs: readonly string[],
  scorers: readonly string[],
): readonly Minimum[] =>
  pairs.map((pair) => {
    const minimum = parseMinimum(pair);
    if (!minimum) throw usage("--min must be scorer=mean, such as --min correct=0.9.");
    const { scorer } = minimum;
    if (scorers.includes(scorer)) return minimum;
    throw usage(`--min names ${scorer}, but the scorers are ${scorers.join(", ")}.`);
  });

/** Parses `scorer=mean`; undefined for another text. */
export const parseMinimum = (pair: string): Minimum | undefined => {
  const { scorer = "", least = "" } = pairFormat.exec(pair)?.groups ?? {};
  return least === "" ? undefined : { scorer, least: Number(least) };
};

const pairFormat = /^(?<scorer>[^=]+)=(?<least>-?\d+(?:\.\d+)?)$/;

/** Returns a line for each mean of a revision that is below its minimum. */
export const findShortfalls = (
  { revisions, summary }: Pick<ExperimentDetail, "revisions" | "summary">,
  minimums: readonly Minimum[],
): string[] =>
  revisions.flatMap((revision) =>
    minimums.flatMap(({ scorer, least }) => {
      const row = summary.find(
        (summaryRow) => summaryRow.revision === revision && summaryRow.scorer === scorer,
      );
      const mean = row ? reachedMean(row) : null;
      if (!isBelowMinimum(mean, least)) return [];
      return [`Revision ${revision} fell short: ${shortfallText({ scorer, mean, least })}`];
    }),
  );

/** Describes a mean that is below its minimum. */
export const shortfallText = ({
  scorer,
  mean,
  least,
}: Minimum & { mean: number | null }): string => {
  const reached = mean === null ? "has no score" : `has the mean ${Number(mean.toFixed(6))}`;
  return `${scorer} ${reached}, its minimum is ${least}.`;
};
