import type { ExperimentConfig, ExperimentItem, ResultItem } from "./items.ts";
import { Experiment, ExperimentDetail, type ExperimentResult, type SummaryRow } from "./schemas.ts";

/** Returns an experiment as lists show it. */
export const toExperiment = (item: ExperimentItem): Experiment => Experiment.parse(item);

/** Returns an experiment with its versions and its summary. */
export const toExperimentDetail = ({
  item,
  config,
  summary,
}: {
  item: ExperimentItem;
  config: ExperimentConfig;
  summary: SummaryRow[];
}): ExperimentDetail => ExperimentDetail.parse({ ...item, versions: config.versions, summary });

/** Returns a result as lists show it, with the scores of one scorer or of all. */
export const toExperimentResult = (
  { scores, ...result }: ResultItem,
  scorer: string | undefined,
): ExperimentResult => ({
  ...result,
  scores: scorer === undefined ? scores : scores.filter((score) => score.scorer === scorer),
  output: null,
  regressions: null,
  baseline: null,
});
