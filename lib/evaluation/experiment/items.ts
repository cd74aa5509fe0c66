import * as z from "zod";
import { ExecutionStatus } from "../../executions/schemas.ts";
import { DatasetVersion } from "../dataset/dataset-item.ts";
import { Scorer, ScorerResult } from "../scorer/schemas.ts";
import { parseRunKey } from "./keys.ts";
import { Experiment, RevisionVersions, SummaryRow } from "./schemas.ts";

/** A run that was started and has no result that was counted. */
export const StartedRun = z.object({
  revision: z.int(),
  exampleId: z.string(),
  repetition: z.int(),
  executionId: z.string(),
});
export type StartedRun = z.output<typeof StartedRun>;

/** Where the driver is. It is written together with the progress, so that every run is counted once. */
export const Drive = z.object({
  /** The next run: of the example behind `after`, of which `index` runs were started. */
  cursor: z.object({ after: z.string().nullable(), index: z.int(), isDone: z.boolean() }),
  running: z.array(StartedRun),
  /** US dollars of the most expensive run per revision, spent or reserved. */
  highestCost: z.record(z.string(), z.number()),
  /** Set when no more runs are started. */
  stopping: z.object({ status: z.enum(["Failed", "CostLimit"]), error: z.string() }).nullable(),
});
export type Drive = z.output<typeof Drive>;

/** Stored experiment. */
export const ExperimentItem = Experiment.extend({
  /** The driver that holds it; null while none does. */
  worker: z.string().nullable(),
  /** After this time its driver counts as dead, or its message as lost. Unix milliseconds. */
  leaseUntil: z.int(),
  drive: Drive,
  /** US dollars of `maxCost` that are neither spent nor reserved; null without `maxCost`. */
  free: z.number().nullable(),
  /** US dollars that the started runs reserved of `maxCost`, by execution. */
  reserved: z.record(z.string(), z.number()),
  /** Number of raised reservations. */
  reservations: z.int(),
});
export type ExperimentItem = z.output<typeof ExperimentItem>;

/** The dataset, the scorers and the versions of an experiment, as they were when it started. */
export const ExperimentConfig = z.object({
  dataset: DatasetVersion,
  scorers: z.array(Scorer),
  versions: z.array(RevisionVersions),
  /** Whether its examples may name files that executions of the agent used: its creator may read their records. */
  readsFiles: z.boolean().optional(),
});
export type ExperimentConfig = z.output<typeof ExperimentConfig>;

/** Stored summary. */
export const SummaryItem = z.object({ summary: z.array(SummaryRow) });

/** The stored result of a run. */
export const RunResult = z.object({
  executionId: z.string().nullable(),
  status: ExecutionStatus,
  error: z.string().nullable(),
  scores: z.array(ScorerResult),
  /** US dollars of the run and its scorers. */
  cost: z.number(),
  /** False if a model that it called has no price. */
  priced: z.boolean(),
  durationMs: z.number().nullable(),
  /**
   * The reason why `maxCost` or a budget cut the run or its scorers short; such a run does not
   * count as a failure of its revision.
   */
  cut: z.string().nullable(),
});
export type RunResult = z.output<typeof RunResult>;

/** The stored result with the run that its key names. */
export const ResultItem = RunResult.extend({ sk: z.string() }).transform(({ sk, ...result }) => ({
  ...parseRunKey({ sk }),
  ...result,
}));
export type ResultItem = z.output<typeof ResultItem>;
