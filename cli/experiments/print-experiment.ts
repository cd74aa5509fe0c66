import type { Experiment } from "../../client/openapi.ts";
import { showCost, showDuration } from "../amounts.ts";
import type { Io } from "../io.ts";
import { printTable } from "../output.ts";
import type { ExperimentDetail } from "./read-experiment.ts";

/** Prints the summary of an experiment as a table; nothing without one. */
export const printSummary = ({ summary }: ExperimentDetail, io: Io): void => {
  if (summary.length > 0) printTable(io, heading, summary.map(toRow));
};

/** Formats a score with at most three decimals. */
export const showScore = (score: number | null): string =>
  score === null ? "none" : String(Number(score.toFixed(3)));

/** Describes how far an experiment is: `12 of 30 runs, 1 failed, cost $0.02`. */
export const describeProgress = ({
  progress: { total, completed, failed },
  totalCost,
  priced,
}: Pick<Experiment, "progress" | "totalCost" | "priced">): string => {
  const runs = total === null ? `${completed} runs` : `${completed} of ${total} runs`;
  return `${runs}, ${failed} failed, cost ${showCost(totalCost, priced)}`;
};

const heading = [
  "REVISION",
  "SCORER",
  "MEAN",
  "95 % INTERVAL",
  "PASSED",
  "FAILURES",
  "COST",
  "P50",
  "P95",
];

const toRow = (row: ExperimentDetail["summary"][number]): string[] => [
  String(row.revision),
  row.scorer,
  showScore(row.mean),
  row.interval === null ? "none" : row.interval.map(showScore).join(" to "),
  row.passRate === null ? "none" : `${Number((row.passRate * 100).toFixed(1))} %`,
  String(row.failures),
  showCost(row.totalCost, row.priced),
  row.p50Ms === null ? "none" : showDuration(row.p50Ms),
  row.p95Ms === null ? "none" : showDuration(row.p95Ms),
];
