import { createHash } from "node:crypto";
import type { AgentItem } from "../../agents/agent/store.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { StoredExecution } from "../../executions/record/execution-record.ts";
import { toExecutionKey } from "../../executions/record/keys.ts";
import { getExecution } from "../../executions/record/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { Problem } from "../../platform/http/problems.ts";
import { log } from "../../platform/runtime/log.ts";
import { publishThresholds } from "../../spending/budget/check-budget.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { countCallsAfterEnd, sumModelCosts } from "../../spending/usage/count-other-usage.ts";
import { type ModelUsage, withoutModels } from "../../spending/usage/count-usage.ts";
import { putScore } from "../score/put-score.ts";
import type { Verdict } from "../scorer/subject.ts";
import { putFailedScorer } from "./store.ts";

/** An execution that is scored, and its agent. */
export type EvaluatedExecution = { agent: AgentItem; execution: StoredExecution };

/** Thrown when the counter of a day takes no further model. */
class FullCounterError extends Error {
  override name = "FullCounterError";
}

/** Returns the scorers that already gave an execution a score, or failed to: a repeated message leaves them out. */
export const isDone = (
  { scores = {}, failedScorers }: StoredExecution,
  scorerId: string,
): boolean =>
  Object.hasOwn(scores, deriveScoreId(scorerId)) ||
  failedScorers?.has(hashScorerId(scorerId)) === true;

/**
 * Writes what a scorer found, once: the score, or the failure with its reason. The calls of models that the scorer made
 * count in the same transaction, for the usage of the execution's agent and for its budget.
 */
export const recordOutcome = async (
  deps: Pick<ExecutionDeps, "db" | "send" | "runtime">,
  {
    evaluated,
    scorerId,
    verdict,
  }: { evaluated: EvaluatedExecution; scorerId: string; verdict: Verdict },
): Promise<void> => {
  const detail = failureIn(verdict) ?? (await tryScore(deps, evaluated, scorerId, verdict));
  if (detail === "deleted") return;
  if (detail !== undefined) await recordFailure(deps, evaluated, { scorerId, detail }, verdict);
  const { agent, execution } = evaluated;
  if (agent.budget && sumModelCosts(verdict.models) > 0) {
    const { clock } = deps.runtime;
    const { tenantId } = toExecutionKey(execution.item);
    await publishThresholds(
      { ...deps, clock },
      { tenantId, agent, month: toMonth(execution.item.startTime) },
    );
  }
};

const failureIn = ({ value, comment }: Verdict): string | undefined =>
  value === null ? (comment ?? "It gave no value.") : undefined;

/**
 * Writes a score; returns why there is no room for it, and "deleted" when the execution no longer
 * exists.
 */
const tryScore = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  evaluated: EvaluatedExecution,
  scorerId: string,
  { value, comment, models }: Verdict,
): Promise<string | undefined> => {
  const { executionId, agentId, tenantId } = toExecutionKey(evaluated.execution.item);
  const score = {
    id: deriveScoreId(scorerId),
    name: scorerId,
    value: value ?? 0,
    spanId: null,
    comment,
    source: "Evaluation" as const,
    createdAt: runtime.clock(),
    createdBy: scorerId,
  };
  const put = (used: readonly ModelUsage[]) =>
    putScore(db, { tenantId, agentId, executionId }, score, {
      alongside: {
        writes: usageWrites(evaluated, used),
        error: () => new FullCounterError("the counter of the day has too many models"),
        isNew: true,
      },
    });
  try {
    await put(models).catch((error: unknown) => {
      if (!(error instanceof FullCounterError)) throw error;
      return put(withoutModels({ models }).models);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.slug === "not-found" ? "deleted" : error.message;
  }
};

const recordFailure = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  evaluated: EvaluatedExecution,
  { scorerId, detail }: { scorerId: string; detail: string },
  { models }: Verdict,
): Promise<void> => {
  const key = toExecutionKey(evaluated.execution.item);
  const at = runtime.clock();
  const failure = {
    scorer: scorerId,
    hash: hashScorerId(scorerId),
    month: toMonth(at),
    detail,
    at,
  };
  const put = (used: readonly ModelUsage[]) =>
    putFailedScorer(db, key, failure, usageWrites(evaluated, used));
  const { executionId, agentId } = key;
  log("score-missing", { agentId, executionId, scorer: scorerId, detail });
  for (const used of [models, withoutModels({ models }).models]) {
    const outcome = await put(used);
    const isCounted =
      outcome === "written" || (outcome === "again" && (await countAlone(db, evaluated, used)));
    if (isCounted) return;
  }
  throw new Error(`the failure of a scorer of the execution ${executionId} was not counted`);
};

/**
 * Counts the model calls of a failed scorer after another attempt recorded the failure. Returns
 * false when the counter of the day has no room for another model; counts nothing once the
 * execution is deleted.
 */
const countAlone = async (
  db: Database,
  evaluated: EvaluatedExecution,
  models: readonly ModelUsage[],
): Promise<boolean> => {
  const { tenantId, agentId, executionId } = toExecutionKey(evaluated.execution.item);
  const writes = usageWrites(evaluated, models);
  if (writes.length === 0 || !(await getExecution(db, tenantId, agentId, executionId))) return true;
  return (await transact(db, writes)).written;
};

/** Builds the writes that count a scorer's calls of models, by the time of the execution as its own calls. */
const usageWrites = (
  { agent, execution: { item } }: EvaluatedExecution,
  models: readonly ModelUsage[],
): TransactionWrite[] => {
  if (models.length === 0) return [];
  const { tenantId } = toExecutionKey(item);
  const spend = { amount: agent.budget?.amount ?? null, cost: sumModelCosts(models), reserved: 0 };
  const calls = { purpose: "evaluation", execution: item, models } as const;
  return [countCallsAfterEnd(tenantId, calls), ...settleSpend(tenantId, item, spend)];
};

const hashScorerId = (scorerId: string): string =>
  createHash("sha256").update(scorerId).digest("hex").slice(0, 16);

/** One score of a scorer, however often a message is repeated. */
const deriveScoreId = (scorerId: string): string => `evaluation-${hashScorerId(scorerId)}`;
