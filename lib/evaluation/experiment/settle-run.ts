import * as z from "zod";
import { dollars } from "../../engine/models/sums.ts";
import type { StepErrorSlug } from "../../engine/step-error.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import { type RunOutcome, toExecutionResult } from "../../executions/record/results.ts";
import type { Database } from "../../platform/db/database.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { Json } from "../../values/json/json.ts";
import { readExample } from "../dataset/read-examples.ts";
import { type ScorerResults, scoreAll } from "../scorer/score.ts";
import type { CostLimit } from "./cost-limit.ts";
import type { ExperimentConfig, RunResult } from "./items.ts";
import type { ExperimentKey, RunKey } from "./keys.ts";
import { putResult } from "./result-store.ts";

/** A run of an experiment. */
export type ExperimentRun = ExperimentKey & { config: ExperimentConfig; run: RunKey };

/** Left before the function's timeout for writing the result, in milliseconds. */
const writingMs = 5_000;
const longestError = 2_000;
const budgetExceeded: StepErrorSlug = "budget-exceeded";

/** `deadline`: when the function times out, Unix milliseconds; `limit`: of an experiment with `maxCost`. */
export type SettleOptions = { deadline: number; limit: CostLimit | undefined };

/**
 * Scores the finished execution of a run and writes the result, once among concurrent callers. A run that failed has
 * 0 from every scorer; one that was cancelled, or that `maxCost` or a budget cut short, has no score. Rejects when time ran
 * out or storage failed: the driver of the experiment does it later.
 */
export const settleRun = async (
  deps: ExecutionDeps,
  {
    tenantId,
    experimentId,
    config,
    run,
    end,
    options,
  }: { end: RunOutcome; options: SettleOptions } & ExperimentRun,
): Promise<void> => {
  const { item, error } = end;
  const { limit } = options;
  const place = { tenantId, experimentId };
  const cutInFlow = findRefusal(end, limit);
  limit?.settle(item.totalCostWithSubAgents);
  const hasScores = cutInFlow === null && item.status !== "Cancelled";
  const {
    results: scores,
    models,
    priced,
  } = hasScores ? await scoreEndedRun(deps, { ...place, config, run }, end, options) : noScores;
  const scorersCost = scores.reduce((sum, { cost }) => sum + cost, 0);
  const result = {
    executionId: item.id,
    status: item.status,
    error: error?.detail.slice(0, longestError).toWellFormed() ?? null,
    scores: [...scores],
    cost: dollars(item.totalCostWithSubAgents + scorersCost),
    priced: item.pricedWithSubAgents && priced,
    durationMs: computeDuration(end),
    cut: cutInFlow ?? limit?.refusal() ?? null,
  };
  const calls = { id: item.id, at: item.startTime, models };
  await putResult(deps.db, place, run, { result, calls });
};

const noScores: ScorerResults = { results: [], models: [], priced: true };

/** Writes the result of a run that could not be scored for long, so that its experiment ends. */
export const settleUnscored = (
  db: Database,
  { tenantId, experimentId, config, run }: ExperimentRun,
  end: RunOutcome,
): Promise<void> => {
  const { item } = end;
  const unscored = { value: null, passed: null, comment: "The run could not be scored.", cost: 0 };
  const result: RunResult = {
    executionId: item.id,
    status: item.status,
    error: null,
    scores: config.scorers.map(({ id }) => ({ scorer: id, ...unscored })),
    cost: item.totalCostWithSubAgents,
    priced: item.pricedWithSubAgents,
    durationMs: computeDuration(end),
    cut: null,
  };
  return putResult(db, { tenantId, experimentId }, run, { result });
};

/** Returns why a call of a model was refused in an execution; null when none was. */
const findRefusal = ({ item, error }: RunOutcome, limit: CostLimit | undefined): string | null => {
  const refusal = limit?.refusal();
  if (refusal !== undefined) return refusal;
  if (item.errorType !== budgetExceeded) return null;
  return error?.detail.slice(0, longestError).toWellFormed() ?? "A budget is spent.";
};

const scoreEndedRun = async (
  deps: ExecutionDeps,
  { tenantId, config, run }: ExperimentRun,
  end: RunOutcome,
  { deadline, limit }: SettleOptions,
): Promise<ScorerResults> => {
  const { item, output, trace } = end;
  const { scorers, dataset } = config;
  if (item.status !== "Succeeded") {
    const failed = { value: 0, passed: false, comment: "The run did not succeed.", cost: 0 };
    return {
      results: scorers.map(({ id }) => ({ scorer: id, ...failed })),
      models: [],
      priced: true,
    };
  }
  const example = await readExample(deps, { tenantId, pinned: dataset, exampleId: run.exampleId });
  const { usage, cost } = toExecutionResult(item);
  const { input = null, expected = null } = example ?? {};
  const subject = { input: toJson(input), output, expected: toJson(expected), trace, usage, cost };
  const left = deadline - writingMs - deps.runtime.clock();
  return scoreAll(deps, {
    scorers,
    subject,
    context: {
      tenantId,
      executionId: item.id,
      processor: new ProcessorBudget(tenantId, processorLimits.deliveryMs),
      limit,
      signal: AbortSignal.timeout(Math.max(0, left)),
      deadline,
    },
  });
};

const toJson = (value: unknown): Json => z.json().parse(value ?? null);

const Times = z.array(z.object({ startTime: z.number() }));

/** Returns the milliseconds from the first step to the end; null for a run without steps. */
const computeDuration = ({ item, trace }: RunOutcome): number | null => {
  const { data: spans = [] } = Times.safeParse(trace);
  if (item.endTime === null || spans.length === 0) return null;
  return Math.max(0, item.endTime - Math.min(...spans.map(({ startTime }) => startTime)));
};
