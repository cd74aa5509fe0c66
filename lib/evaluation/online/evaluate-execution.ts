import { createHash } from "node:crypto";
import { isInSample } from "../../agents/agent/online-evaluation.ts";
import { monthOf } from "../../agents/budget/month.ts";
import type { ExecutionDeps } from "../../agents/execution/context.ts";
import type { StoredExecution } from "../../agents/execution/items.ts";
import { placeOf, readEnd, readInput } from "../../agents/execution/read-execution.ts";
import { finalStatuses } from "../../agents/execution/schemas.ts";
import { getAgentAndExecution } from "../../agents/execution/store.ts";
import { toResult } from "../../agents/execution/to-result.ts";
import type { EvaluateExecutionMessage } from "../../agents/messages.ts";
import { putScore } from "../../agents/score/put-score.ts";
import { largestScore } from "../../agents/score/schemas.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { Problem } from "../../platform/http/problems.ts";
import { log } from "../../platform/runtime/log.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { scorerKey } from "../scorer/keys.ts";
import { Scorer, type ScorerResult } from "../scorer/schemas.ts";
import { scoreAll } from "../scorer/score.ts";
import type { Subject } from "../scorer/subject.ts";
import { claimEvaluation } from "./store.ts";

/** Time reserved for writing the scores. */
const finishMs = 20_000;

/**
 * Scores an execution of the sample with its agent's scorers, and counts it in the month, once. Does nothing for one that
 * did not succeed, was deleted, or is beyond the month's limit. Rejects for one that has not ended, which is scored later.
 * @param deadline when the function times out, Unix milliseconds
 */
export const evaluateExecution = async (
  deps: ExecutionDeps,
  { tenantId, agentId, executionId }: EvaluateExecutionMessage,
  deadline: number,
): Promise<void> => {
  const found = await getAgentAndExecution(deps.db, tenantId, agentId, executionId);
  const evaluation = found?.agent.onlineEvaluation;
  if (!found || !evaluation || !isInSample(executionId, evaluation)) return;
  const { execution } = found;
  const { item } = execution;
  if (!finalStatuses.has(item.status)) {
    throw new Error(`the execution ${executionId} has not ended`);
  }
  if (item.status !== "Succeeded") return;
  const now = deps.runtime.clock();
  const limit = { month: monthOf(now), limit: evaluation.monthlyLimit, now };
  if ((await claimEvaluation(deps.db, placeOf(item), limit)) === "over") return;
  // A repeated message scores what its earlier attempts did not.
  const given = new Set(Object.keys(execution.scores ?? {}));
  const left = evaluation.scorers.filter((id) => !given.has(scoreIdOf(id)));
  const keys = left.map((id) => scorerKey(tenantId, id));
  const scorers = (await getItems(deps.db, keys, Scorer)).filter((scorer) => scorer !== undefined);
  const subject = await toSubject(deps, execution);
  const context = {
    tenantId,
    executionId,
    processor: new ProcessorBudget(processorLimits.executionMs),
    signal: AbortSignal.timeout(Math.max(1, deadline - finishMs - now)),
    deadline,
  };
  for (const scorer of scorers) {
    const [result] = await scoreAll(deps, [scorer], subject, context);
    if (result) await write(deps, execution, result);
  }
};

const toSubject = async (deps: ExecutionDeps, execution: StoredExecution): Promise<Subject> => {
  const [{ input }, end] = await Promise.all([
    readInput(deps, execution),
    readEnd(deps, execution),
  ]);
  const { usage, cost } = toResult(execution.item);
  return {
    input: JSON.parse(JSON.stringify(input.input)),
    output: end?.output ?? null,
    trace: end?.trace ?? [],
    usage,
    cost,
  };
};

/** One score of a scorer, however often a message is repeated. */
const scoreIdOf = (scorerId: string): string =>
  `evaluation-${createHash("sha256").update(scorerId).digest("hex").slice(0, 16)}`;

const write = async (
  { db, runtime }: ExecutionDeps,
  { item }: StoredExecution,
  { scorer, value, comment }: ScorerResult,
): Promise<void> => {
  const { executionId, agentId, tenantId } = placeOf(item);
  if (value === null || Math.abs(value) > largestScore) {
    log().warn("a scorer gave no score", { executionId, scorer });
    return;
  }
  const score = {
    id: scoreIdOf(scorer),
    name: scorer,
    value,
    spanId: null,
    comment,
    source: "Evaluation" as const,
    createdAt: runtime.clock(),
    createdBy: scorer,
  };
  try {
    await putScore(db, { tenantId, agentId, executionId }, score);
  } catch (error) {
    // It was deleted meanwhile, or has no room for a score.
    if (!(error instanceof Problem)) throw error;
    log().warn("a score was not written", { executionId, scorer, problem: error.slug });
  }
};
