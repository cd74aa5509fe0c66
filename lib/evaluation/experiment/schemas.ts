import * as z from "zod";
import { ExecutionStatus } from "../../executions/schemas.ts";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { optionalInteger, pageSchema } from "../../platform/http/paging.ts";
import { ScorerResult } from "../scorer/schemas.ts";

const most = {
  revisions: 5,
  scorers: 10,
  repetitions: 10,
  concurrency: 20,
} as const;
const revision = z.int().min(1).max(2_147_483_647);
const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const isPayable = (amount: number): boolean => amount >= 1e-9;
const priced = z.boolean().meta({
  description: "False when one of them called a model without a price; its calls cost 0.",
});
const dollars = z.number().meta({ description: "US dollars." });

/** Status of an experiment; all but the first two are final. */
export const ExperimentStatus = z
  .enum(["Queued", "Running", "Succeeded", "Failed", "Cancelled", "CostLimit"])
  .meta({ id: "ExperimentStatus" });
export type ExperimentStatus = z.output<typeof ExperimentStatus>;

const Split = z.string().min(1).max(64);

/** Request body that starts an experiment. */
export const CreateExperimentBody = z
  .object({
    displayName: z.string().min(1).max(200).nullish(),
    datasetId: ChosenId.meta({ example: "questions" }),
    version: z.int().min(1).nullish().meta({ description: "The newest version by default." }),
    split: Split.nullish().meta({ description: "Only the examples of this split." }),
    agentId: ChosenId,
    revisions: z.array(revision).min(1).max(most.revisions).refine(unique, "must not repeat one"),
    scorers: z
      .array(ChosenId)
      .min(1)
      .max(most.scorers)
      .refine(unique, "must not repeat one")
      .meta({ description: "Ids of scorers; the experiment keeps them as they are now." }),
    repetitions: z
      .int()
      .min(1)
      .max(most.repetitions)
      .nullish()
      .meta({ description: "Runs per example and revision; 1 by default." }),
    concurrency: z
      .int()
      .min(1)
      .max(most.concurrency)
      .nullish()
      .meta({ description: "Runs at the same time; 5 by default." }),
    maxCost: z
      .number()
      .positive()
      .refine(isPayable, "must be 0.000000001 or more")
      .max(1_000_000)
      .nullish()
      .meta({
        description:
          "US dollars of runs and scorers. A model is called only if the call fits at its highest cost: `maxOutputTokens` of output.",
      }),
  })
  .meta({
    id: "CreateExperimentBody",
    example: {
      datasetId: "questions",
      agentId: "hello",
      revisions: [1],
      scorers: ["correct"],
    },
  });
export type CreateExperimentBody = z.output<typeof CreateExperimentBody>;

/** Progress of an experiment. */
export const ExperimentProgress = z
  .object({
    total: z.int().nullable().meta({ description: "Number of runs; null until it is counted." }),
    completed: z.int().meta({ description: "Runs that have a result, failed ones included." }),
    failed: z.int().meta({ description: "Runs that did not succeed." }),
  })
  .meta({ id: "ExperimentProgress" });
export type ExperimentProgress = z.output<typeof ExperimentProgress>;

const fields = {
  id: Uuid,
  displayName: z.string().nullable(),
  datasetId: ChosenId,
  version: z.int(),
  split: z.string().nullable(),
  agentId: ChosenId,
  revisions: z.array(revision),
  scorers: z.array(ChosenId),
  repetitions: z.int(),
  concurrency: z.int(),
  maxCost: dollars.nullable(),
  status: ExperimentStatus,
  error: z.string().nullable().meta({ description: "Why it ended before all runs." }),
  progress: ExperimentProgress,
  totalCost: z.number().meta({ description: "US dollars of runs and scorers so far." }),
  priced,
  createdAt: Timestamp,
  createdBy: z.string().meta({ description: "Id of the user or API key." }),
  modifiedAt: Timestamp,
  endedAt: Timestamp.nullable().meta({
    description:
      "When the last run had a result and the summary was made; null before, also of a cancelled one.",
  }),
};

/** An experiment in a list. */
export const Experiment = z.object(fields).meta({ id: "Experiment" });
export type Experiment = z.output<typeof Experiment>;

/** A page of experiments, newest first. */
export const ExperimentPage = pageSchema(Experiment, "ExperimentPage");

/** The versions of a revision's skills and integration configs when the experiment started. */
export const RevisionVersions = z
  .object({
    revision,
    skills: z.array(z.object({ id: z.string(), modifiedAt: Timestamp.nullable() })).meta({
      description: "Skills that its flow names; `modifiedAt` is null for one that did not exist.",
    }),
    integrationConfigs: z
      .array(z.object({ id: z.string(), revision: z.int().nullable() }))
      .meta({ description: "Integration configs that its flow names, in their revision." }),
  })
  .meta({ id: "RevisionVersions" });
export type RevisionVersions = z.output<typeof RevisionVersions>;

/** Scores of a revision by a scorer. */
export const SummaryRow = z
  .object({
    revision,
    scorer: ChosenId,
    mean: z.number().nullable().meta({
      description:
        "Mean of the examples' means over their repetitions; a failed run counts as 0. Null without a score.",
    }),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({
      description: "95 % interval of the mean: bootstrap over examples, seeded by the id.",
    }),
    passRate: z.number().nullable().meta({ description: "Share of the scores that passed." }),
    count: z.int().meta({ description: "Number of scores." }),
    failures: z.int().meta({
      description: "Runs that failed or could not be scored.",
    }),
    unscored: z.int().default(0).meta({
      description:
        "Successful runs without a score. A minimum that a deployment requires is compared with the mean in which they count as 0.",
    }),
    totalCost: z
      .number()
      .meta({ description: "US dollars of the revision's runs with all scorers." }),
    priced,
    p50Ms: z.number().nullable().meta({ description: "Median duration of the revision's runs." }),
    p95Ms: z.number().nullable(),
  })
  .meta({ id: "ExperimentSummaryRow" });
export type SummaryRow = z.output<typeof SummaryRow>;

/** An experiment with its versions and its summary. */
export const ExperimentDetail = z
  .object({
    ...fields,
    versions: z.array(RevisionVersions),
    summary: z
      .array(SummaryRow)
      .meta({ description: "One row per revision and scorer; empty until `endedAt` is set." }),
  })
  .meta({ id: "ExperimentDetail" });
export type ExperimentDetail = z.output<typeof ExperimentDetail>;

const outcome = {
  repetition: z.int().meta({ description: "From 1." }),
  executionId: Uuid.nullable().meta({
    description: "Null when the example's input was refused.",
  }),
  status: ExecutionStatus,
  scores: z.array(ScorerResult),
};
const output = z.unknown().meta({ description: "Only with `regressedFrom`; null otherwise." });

/** The result of one run. */
export const ExperimentResult = z
  .object({
    revision,
    exampleId: ChosenId,
    ...outcome,
    error: z.string().nullable(),
    cost: z.number().meta({ description: "US dollars of the run and its scorers." }),
    priced,
    durationMs: z.number().nullable(),
    output,
    regressions: z
      .array(z.object({ scorer: ChosenId, before: z.number(), after: z.number() }))
      .nullable()
      .meta({
        description:
          "Scorers with a lower mean over the example's repetitions, with `regressedFrom`; null otherwise.",
      }),
    baseline: z
      .object({ revision, ...outcome, output })
      .nullable()
      .meta({ description: "The example's run with `regressedFrom`; null otherwise." }),
  })
  .meta({ id: "ExperimentResult" });
export type ExperimentResult = z.output<typeof ExperimentResult>;

/** A page of results, by revision and example. */
export const ExperimentResultPage = pageSchema(ExperimentResult, "ExperimentResultPage");

/** Query parameters of results. */
export const resultFilters = {
  revision: optionalInteger(1, 2_147_483_647, "Returns only results of this revision."),
  scorer: ChosenId.optional().meta({ description: "Returns only scores of this scorer." }),
  regressedFrom: optionalInteger(
    1,
    2_147_483_647,
    "Returns the examples with lower scores than in this revision, with both outputs; `revision` is then required unless the experiment has two.",
  ),
} as const;
