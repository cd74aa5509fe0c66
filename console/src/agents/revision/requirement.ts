import type { DeployRevisionBody } from "../../../../client/openapi.ts";
import type { ExperimentDetail } from "../../experiments/use-experiments.ts";

/** Results that a deployment requires, as typed. */
export type Requirement = {
  experimentId: string | undefined;
  /** Minimums that were changed, by scorer. */
  changed: Readonly<Record<string, string | number>>;
};

/** Means of a scorer in an experiment, and the minimum to start from. */
export type RequiredRow = {
  scorer: string;
  mean: number | null;
  /** That of the deployed revision; undefined if the experiment did not test it. */
  deployedMean: number | null | undefined;
  start: number | "";
};

/** Rounds down: a revision with the same mean reaches the minimum. */
const minimumFrom = (mean: number | null): number | "" =>
  mean === null ? "" : Math.floor(mean * 1_000 + 1e-6) / 1_000;

/** Returns what can be required of a revision: at least the means of the deployed one, or else its own. */
export const requiredRows = (
  { scorers, summary }: ExperimentDetail,
  { revision, deployed }: { revision: number; deployed: number | null },
): RequiredRow[] => {
  const findMean = (of: number | null, scorer: string): number | null | undefined =>
    summary.find((row) => row.revision === of && row.scorer === scorer)?.mean;
  return scorers.map((scorer) => {
    const mean = findMean(revision, scorer) ?? null;
    const deployedMean = findMean(deployed, scorer);
    return { scorer, mean, deployedMean, start: minimumFrom(deployedMean ?? mean) };
  });
};

/** Converts a requirement to the body of a deployment; a scorer with an empty minimum is not required. */
export const toDeployBody = (
  { experimentId, changed }: Requirement,
  rows: readonly RequiredRow[],
): DeployRevisionBody => {
  if (experimentId === undefined) return {};
  const minimum = rows
    .map(({ scorer, start }) => [scorer, changed[scorer] ?? start] as const)
    .filter(([, value]) => value !== "");
  return {
    require: {
      experimentId,
      minimum: Object.fromEntries(minimum.map(([scorer, value]) => [scorer, Number(value)])),
    },
  };
};
